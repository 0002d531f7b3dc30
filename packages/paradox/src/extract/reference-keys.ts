/**
 * Which keys name what, as tables. A kind `engine` among those of a reference says that the name may also be one of the game's
 * own: whoever looks for names that nobody defines leaves such references alone.
 */

/** `key = name`. */
const BY_KEY = `
event: trigger_event
on_action: on_action
trait: has_trait add_trait remove_trait add_trait_force_tooltip trait has_inactive_trait make_trait_active make_trait_inactive
modifier: add_character_modifier remove_character_modifier has_character_modifier add_county_modifier remove_county_modifier has_county_modifier add_province_modifier remove_province_modifier has_province_modifier add_house_modifier remove_house_modifier has_house_modifier add_dynasty_modifier remove_dynasty_modifier has_dynasty_modifier add_realm_modifier add_travel_plan_modifier has_travel_plan_modifier add_artifact_modifier remove_all_character_modifier_instances remove_all_county_modifier_instances remove_all_province_modifier_instances
innovation: has_innovation add_innovation discover_innovation
culture_era: has_cultural_era_or_later join_era
culture_tradition: has_cultural_tradition add_culture_tradition remove_culture_tradition
culture_pillar: has_cultural_pillar set_culture_pillar heritage language martial_custom ethos
name_list: name_list
building: has_building has_building_or_higher add_building has_special_building
perk: has_perk add_perk remove_perk
focus: has_focus set_focus
lifestyle: has_lifestyle
government: has_government change_government
nickname: give_nickname has_nickname
doctrine: has_doctrine add_doctrine remove_doctrine doctrine
casus_belli: using_cb
game_rule_setting: has_game_rule
death_reason: death_reason
story_cycle: create_story
dynasty_perk: add_dynasty_perk has_dynasty_perk
event_theme: theme
scripted_character_template: create_character_from_template
court_position: employs_court_position
region: geographical_region
holy_site: holy_site
council_task: is_performing_council_task has_active_council_task
decision_group: decision_group_type
`

/** `outer = { key = name }`. */
const BY_OUTER_KEY = `
event: trigger_event.id trigger_event_silently.id
on_action: trigger_event.on_action
opinion_modifier: add_opinion.modifier reverse_add_opinion.modifier remove_opinion.modifier reverse_remove_opinion.modifier has_opinion_modifier.modifier reverse_has_opinion_modifier.modifier
modifier: add_character_modifier.modifier add_county_modifier.modifier add_province_modifier.modifier add_house_modifier.modifier add_dynasty_modifier.modifier add_travel_plan_modifier.modifier add_artifact_modifier.modifier
casus_belli: start_war.casus_belli start_war.cb
death_reason: death.death_reason
hook: add_hook.type add_hook_no_toast.type remove_hook.type has_hook_of_type.type can_add_hook.type
secret: add_secret.type has_secret.type
scheme: start_scheme.type is_scheming_against.type begin_scheme.type
story_cycle: create_story.type
character_interaction: run_interaction.interaction open_interaction_window.interaction is_character_interaction_valid.interaction
artifact_visual: create_artifact.visuals
artifact_template: create_artifact.template
event_background: override_background.reference
message: send_interface_message.type send_interface_toast.type
scripted_character_template: create_character.template
character_memory: create_character_memory.type
epidemic: create_epidemic_outbreak.type
scripted_list: any_in_scripted_list.list
localization: option.name
culture: create_character.culture
`

/** `outer = { name name }`, and with weights `outer = { 100 = name }`; only in files of a kind, where one is given. */
const LISTS = `
event: on_action/events on_action/random_events on_action/first_valid
on_action: on_action/on_actions on_action/random_on_actions on_action/first_valid_on_action
culture_tradition: culture/traditions
ethnicity: culture/ethnicities
holy_site: religion/holy_sites
doctrine: religion/doctrines
`

/** `prefix:name`, as a key or as a value. */
const BY_PREFIX = `
culture: culture
faith: faith
religion: religion
title: title
character: character
dynasty: dynasty
dynasty_house: house
trait: trait
culture_pillar: culture_pillar
culture_tradition: culture_tradition
innovation: culture_innovation innovation
holy_site: holy_site
doctrine: doctrine
region: geographical_region
define: define
struggle: struggle
situation: situation
government: government_type
council_task: council_task
court_position: court_position
game_concept: concept
accolade_type: accolade_type
activity: activity_type
casus_belli: casus_belli_type
epidemic: epidemic_type
legend_type: legend_type
`

/** `key = name`, only in the files of a folder. */
const BY_FOLDER = `
localization: event/desc event/custom_tooltip decision/custom_tooltip scripted_effect/custom_tooltip scripted_trigger/custom_tooltip on_action/custom_tooltip character_interaction/custom_tooltip activity/custom_tooltip customizable_localization/localization_key
culture: character/culture province_history/culture dynasty/culture
faith: character/religion character/faith province_history/religion
dynasty: character/dynasty dynasty_house/dynasty
dynasty_house: character/dynasty_house
character: character/father character/mother character/add_spouse character/add_matrilineal_spouse character/employer character/add_concubine title_history/holder
title: title_history/liege title_history/de_jure_liege
religion_family: religion/family
game_concept: game_concept/parent
gui_template: gui_window/using
`

/** `definition = { key = name }`, in the files of a folder, and no deeper. */
const BY_DEFINITION = `
localization: event/title event/flavor event/opening decision/title decision/desc decision/selection_tooltip decision/confirm_text character_interaction/desc
`

function readTable(table: string): Map<string, readonly string[]> {
  const kindsOf = new Map<string, string[]>()
  for (const line of table.trim().split('\n')) {
    const [kind = '', words = ''] = line.split(': ')
    for (const word of words.split(' ')) kindsOf.set(word, [...(kindsOf.get(word) ?? []), kind])
  }
  return kindsOf
}

/** By the part before the separator, then by the one after it. */
function readNested(table: string, separator: string): Map<string, Map<string, readonly string[]>> {
  const nested = new Map<string, Map<string, readonly string[]>>()
  for (const [word, kinds] of readTable(table)) {
    const [outer = '', inner = ''] = word.split(separator)
    nested.set(outer, (nested.get(outer) ?? new Map<string, readonly string[]>()).set(inner, kinds))
  }
  return nested
}

export const KINDS_BY_KEY = readTable(BY_KEY)
export const KINDS_BY_OUTER_KEY = readNested(BY_OUTER_KEY, '.')
export const KINDS_OF_LISTS = readNested(LISTS, '/')
export const KINDS_BY_PREFIX = readTable(BY_PREFIX)
export const KINDS_BY_FOLDER = readNested(BY_FOLDER, '/')
export const KINDS_BY_DEFINITION = readNested(BY_DEFINITION, '/')

/** Keys whose value is a number, or the name of one. */
export const NUMBER_KEYS = new Set(
  'value add subtract multiply divide min max base factor modulo round_to count gold prestige piety years months days weight chance'.split(
    ' ',
  ),
)

/** The kinds that a key or a value with a relation in it means: `has_relation_friend`, `set_relation_rival`. */
export const RELATION_KEY = /^(?:has|set|remove|num_of|any|every|random|ordered)_relation_(\w+)$/

export const CALLED = ['scripted_effect', 'scripted_trigger', 'scripted_modifier'] as const
/** With `yes` and `no` the game's own effects and triggers are called as well. */
export const CALLED_OR_ENGINE = [...CALLED, 'engine'] as const
export const NUMBER_OR_ENGINE = ['script_value', 'engine'] as const
