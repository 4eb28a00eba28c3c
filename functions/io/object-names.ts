/** Is it the name of a file of objects? Editors' temporary files (`#a.yaml#`, `.#a.yaml`, `.a.yaml.swp`, `a.yaml~`, `4913`) and hidden ones are not. */
export function isObjectFile(name: string): boolean {
  return /^[^.#].*\.(?:ya?ml|json)$/i.test(name);
}

/** Is it the name of a folder that is looked into? Hidden ones are not, such as the `..data` that a ConfigMap volume's files point into. */
export function isObjectFolder(name: string): boolean {
  return !name.startsWith(".");
}
