import type { View } from "#core/edition/view.ts";
import { type Item, itemsOf, offerOf } from "./offer.ts";
import type { ResourceRule } from "./resource-rules.ts";
import { replaceNames } from "./subscription.ts";
import { versionOf } from "./version.ts";

/** The answer to one poll: exactly what was asked for, and the version of exactly that. */
export interface PollAnswer {
  readonly version: string;
  readonly items: readonly Item[];
}

/** Answers without any memory of the client (xDS spec, "REST-JSON polling subscriptions"): no names mean everything where the type allows that. */
export function answerPoll(view: View, rule: ResourceRule, names: readonly string[]): PollAnswer {
  const items = itemsOf(offerOf(view, rule, replaceNames(undefined, names, rule.whole)));
  return { version: versionOf(items), items };
}
