import { entryPath, type Findings } from "./findings.ts";

const PREFIX = "[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?";
const NAME = "(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const KEY = new RegExp(`^(${PREFIX}(?:\\.${PREFIX})*/)?(${NAME})$`);
const VALUE = new RegExp(`^(?:${NAME})?$`);

/** Labels as Kubernetes allows them, but for the length of values (istio `pkg/config/labels` Validate). */
export function checkLabels(labels: Readonly<Record<string, string>>, path: string, findings: Findings): void {
  for (const [key, value] of Object.entries(labels)) {
    findings.error(entryPath(path, key), keyProblem(key));
    if (!VALUE.test(value)) findings.error(entryPath(path, key), `"${value}" is not a valid label value`);
  }
}

function keyProblem(key: string): string | undefined {
  const match = KEY.exec(key);
  if (match === null) return `"${key}" is not a valid label key`;
  const [, prefix = "", name = ""] = match;
  if (prefix.length - 1 > 253) return `"${key}" is not a valid label key (its DNS prefix is too long)`;
  return name.length > 63 ? `"${key}" is not a valid label key (its name is too long)` : undefined;
}
