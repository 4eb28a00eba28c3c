import { isSubset, type Labels } from "./labels.ts";

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

export function selectorFits(selector: LabelSelector, labels: Labels): boolean {
  return isSubset(selector.matchLabels, labels) && selector.matchExpressions.every((expression) => expressionFits(expression, labels));
}

function expressionFits({ key, operator, values }: LabelExpression, labels: Labels): boolean {
  const value = labels[key];
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
