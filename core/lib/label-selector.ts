import { isSubset, type Labels } from "./labels.ts";
import { own } from "./own.ts";

/** Kubernetes' LabelSelector: all of `matchLabels` and all of `matchExpressions`; an empty one fits everything. */
export interface LabelSelector {
  readonly matchLabels: Labels;
  readonly matchExpressions: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; anything else fits nothing. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** Do labels have everything that the selector asks for? */
export function selectorFits(selector: LabelSelector, labels: Labels): boolean {
  return isSubset(selector.matchLabels, labels) && selector.matchExpressions.every((expression) => expressionFits(expression, labels));
}

function expressionFits({ key, operator, values }: LabelExpression, labels: Labels): boolean {
  const value = own(labels, key);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}

/** What Kubernetes refuses in an expression, or undefined (apimachinery `labels.NewRequirement`). */
export function expressionProblem({ key, operator, values }: LabelExpression): string | undefined {
  if (key === "") return "an expression needs a key";
  if (operator === "In" || operator === "NotIn") return values.length === 0 ? `${operator} needs at least one value` : undefined;
  if (operator === "Exists" || operator === "DoesNotExist") return values.length > 0 ? `${operator} has no values` : undefined;
  return `"${operator}" is not an operator`;
}
