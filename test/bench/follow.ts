// Prints what changes cost a process that follows them one by one, in a mesh of so many services: follow.js SERVICES.

import { changes } from "./changes.ts";
import { MESH_1000 } from "./mesh.ts";

console.log(JSON.stringify(await changes({ ...MESH_1000, services: Number(process.argv[2]) }, 1)));
