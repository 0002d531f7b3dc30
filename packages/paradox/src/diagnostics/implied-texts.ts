/**
 * Texts that the game shows for something it knows, by the name of the thing: a table of the patterns without which the game
 * shows the raw key. A field in the definition that names another text takes the place of the pattern.
 */
export interface ImpliedText {
  readonly pattern: string
  /** Fields of the definition that make the pattern needless. */
  readonly unless: readonly string[]
}

const TABLE = `
activity {}
building building_{}
character_memory {}
culture {}
culture {}_collective_noun
culture_pillar {}_name name
culture_tradition {}_name name
culture_tradition {}_desc desc
death_reason {}
decision {} title
decision {}_tooltip selection_tooltip
decision {}_confirm confirm_text
doctrine {}_name name visible
dynasty_legacy {}_name
dynasty_perk {}_name
faith {} localization
game_concept game_concept_{}
game_concept game_concept_{}_desc
game_rule rule_{}
game_rule_setting setting_{}
hook {}
men_at_arms {}
nickname {}
religion {}
title {}
trait trait_{} name
trait trait_{}_desc desc
travel_option {}
`

const byKind = new Map<string, ImpliedText[]>()
for (const line of TABLE.trim().split('\n')) {
  const [kind = '', pattern = '', ...unless] = line.split(' ')
  byKind.set(kind, [...(byKind.get(kind) ?? []), { pattern, unless }])
}

export function impliedTextsOf(kind: string): readonly ImpliedText[] {
  return byKind.get(kind) ?? []
}
