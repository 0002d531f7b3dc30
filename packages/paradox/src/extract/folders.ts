/**
 * Which folder defines what: the databases of Crusader Kings 3, as a table. One line per folder: its path, what it defines, and
 * where its shape is not `name = { … }` at the top, how it is shaped. Files below a folder belong to it, unless a deeper line
 * says otherwise. Both spellings are there where a version of the game renamed one.
 */
import { languageOfPath } from '../localization/language-of-path.ts'

export type FolderShape =
  /** `name = { … }` at the top. */
  | 'blocks'
  /** `name = …` at the top, be it a block or a scalar. */
  | 'fields'
  /** `group = { name = { … } }`: both have names. */
  | 'groups'
  /** `colors = { name = … }`: what is outside only holds, and may come again. */
  | 'containers'
  /** `morph_genes = { name = … }`, `special_genes = { morph_genes = { name = … } }`. */
  | 'genes'
  /** `Category = { KEY = value }`: the name is `Category|KEY`. */
  | 'defines'
  /** `category = { id = "name" … }`: the key says what it is, a field how it is called. */
  | 'named'
  /** `name = { … }`, `name = other`, and `template = { name = { … } }`. */
  | 'arms'
  /** `e_name = { k_name = { … } }` at any depth. */
  | 'titles'
  /** `religion = { faiths = { faith = { … } } }`. */
  | 'religions'
  /** `name = { setting = { … } }`: rules of the game and their settings. */
  | 'rules'
  /** `name.1 = { … }`, and scripts of the file's own. */
  | 'events'
  /** Types, templates and windows. */
  | 'gui'
  /** Whole files: nothing in them has a name by itself. */
  | 'none'

export interface FolderRule {
  readonly folder: string
  readonly kind: string
  readonly shape: FolderShape
}

const TABLE = `
common/accolade_icons accolade_icon
common/accolade_names accolade_name
common/accolade_types accolade_type
common/achievements achievement
common/activities/activity_group_types activity_group
common/activities/activity_locales activity_locale
common/activities/activity_types activity
common/activities/guest_invite_rules guest_invite_rule
common/activities/intents activity_intent
common/activities/pulse_actions pulse_action
common/ai_goaltypes ai_goal
common/ai_war_stances ai_war_stance
common/artifacts/blueprints artifact_blueprint
common/artifacts/feature_groups artifact_feature_group
common/artifacts/features artifact_feature
common/artifacts/slots artifact_slot
common/artifacts/templates artifact_template
common/artifacts/types artifact_type
common/artifacts/visuals artifact_visual
common/bookmark_portraits bookmark_portrait
common/bookmarks/bookmarks bookmark
common/bookmarks/challenge_characters challenge_character
common/bookmarks/groups bookmark_group
common/buildings building
common/casus_belli_groups casus_belli_group
common/casus_belli_types casus_belli
common/character_backgrounds character_background
common/character_interaction_categories character_interaction_category
common/character_interactions character_interaction
common/character_memory_types character_memory
common/coat_of_arms/coat_of_arms coat_of_arms arms
common/coat_of_arms/dynamic_definitions coat_of_arms_dynamic_definition
common/coat_of_arms/options coat_of_arms_option containers
common/coat_of_arms/template_lists coat_of_arms_template_list defines
common/combat_effects combat_effect
common/combat_phase_events combat_phase_event
common/confederation_types confederation_type
common/console_groups console_group
common/council_positions council_position
common/council_tasks council_task
common/court_amenities court_amenity
common/court_positions/categories court_position_category
common/court_positions/tasks court_position_task
common/court_positions/types court_position
common/court_types court_type
common/courtier_guest_management courtier_guest_management
common/culture/aesthetics_bundles aesthetics_bundle
common/culture/creation_names culture_creation_name
common/culture/cultures culture
common/culture/eras culture_era
common/culture/innovations innovation
common/culture/name_equivalency name_equivalency
common/culture/name_lists name_list
common/culture/pillars culture_pillar
common/culture/traditions culture_tradition
common/customizable_localization customizable_localization
common/deathreasons death_reason
common/decision_group_types decision_group
common/decisions decision
common/defines define defines
common/diarchies/diarchy_mandates diarchy_mandate
common/diarchies/diarchy_types diarchy
common/dna_data dna
common/domiciles/buildings domicile_building
common/domiciles/types domicile_type
common/dynasties dynasty
common/dynasty_house_motto_inserts motto_insert
common/dynasty_house_mottos motto
common/dynasty_houses dynasty_house
common/dynasty_legacies dynasty_legacy
common/dynasty_perks dynasty_perk
common/effect_localization effect_localization
common/epidemics epidemic
common/ethnicities ethnicity
common/event_2d_effects event_2d_effect
common/event_backgrounds event_background
common/event_themes event_theme
common/event_transitions event_transition
common/factions faction
common/flavorization flavorization
common/focuses focus
common/game_concepts game_concept
common/game_rules game_rule rules
common/genes gene genes
common/governments government
common/great_projects/types great_project
common/guest_system guest_subset
common/holdings holding
common/hook_types hook
common/house_aspirations house_aspiration
common/house_relation_types house_relation
common/house_unities house_unity
common/important_actions important_action
common/inspirations inspiration
common/landed_titles title titles
common/laws law groups
common/lease_contracts lease_contract
common/legends/chronicles legend_chronicle
common/legends/legend_seeds legend_seed
common/legends/legend_types legend_type
common/lifestyle_perks perk
common/lifestyles lifestyle
common/men_at_arms_types men_at_arms
common/message_filter_types message_filter
common/message_group_types message_group
common/messages message
common/modifier_definition_formats modifier_format
common/modifier_icons modifier_icon
common/modifiers modifier
common/named_colors named_color containers
common/nicknames nickname
common/on_action on_action
common/opinion_modifiers opinion_modifier
common/playable_difficulty_infos difficulty_info
common/pool_character_selectors pool_selector
common/province_terrain province_terrain none
common/raids/intents raid_intent
common/religion/doctrine_group_types doctrine_group
common/religion/doctrine_types doctrine
common/religion/doctrines doctrine groups
common/religion/fervor_modifiers fervor_modifier
common/religion/holy_site_types holy_site
common/religion/holy_sites holy_site
common/religion/religion_families religion_family
common/religion/religion_family_types religion_family
common/religion/religion_types religion religions
common/religion/religions religion religions
common/schemes/agent_types scheme_agent
common/schemes/pulse_actions scheme_pulse_action
common/schemes/scheme_countermeasures scheme_countermeasure
common/schemes/scheme_types scheme
common/scheme_types scheme
common/script_values script_value fields
common/scripted_animations scripted_animation
common/scripted_character_templates scripted_character_template
common/scripted_costs scripted_cost
common/scripted_effects scripted_effect
common/scripted_guis scripted_gui
common/scripted_lists scripted_list
common/scripted_modifiers scripted_modifier
common/scripted_relations scripted_relation
common/scripted_rules scripted_rule
common/scripted_triggers scripted_trigger
common/secret_types secret
common/situation/catalysts situation_catalyst
common/situation/situation_group_types situation_group
common/situation/situations situation
common/story_cycles story_cycle
common/struggle/catalysts struggle_catalyst
common/struggle/struggles struggle
common/subject_contracts/contracts subject_contract
common/subject_contracts/groups subject_contract_group
common/succession_appointment succession_appointment
common/succession_election succession_election
common/suggestions suggestion
common/task_contracts task_contract
common/tax_slots/obligations tax_slot_obligation
common/tax_slots/types tax_slot
common/terrain_types terrain
common/traits trait
common/travel/point_of_interest_types point_of_interest
common/travel/travel_options travel_option
common/trigger_localization trigger_localization
common/tutorial_lesson_chains tutorial_lesson_chain
common/tutorial_lessons tutorial_lesson
common/vassal_contracts vassal_contract
common/vassal_stances vassal_stance
data_binding data_binding none
events event events
gfx/court_scene/character_roles court_scene_role
gfx/court_scene/scene_cultures court_scene_culture
gfx/court_scene/scene_settings court_scene_setting
gfx/map none none
gfx/portraits/accessories accessory
gfx/portraits/portrait_animations portrait_animation
gfx/portraits/portrait_modifiers portrait_modifier
gfx/portraits/trait_portrait_modifiers trait_portrait_modifier
gfx none none
gui gui_window gui
history/artifacts artifact_history
history/characters character
history/cultures culture_history none
history/province_mapping province_mapping none
history/provinces province_history
history/situations situation_history none
history/struggles struggle_history none
history/titles title_history
history/wars war_history none
map_data/geographical_regions region
map_data none none
music music
music/music_player_categories music_category named
notifications notification
sound none none
`

export const FOLDER_RULES: readonly FolderRule[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [folder = '', kind = '', shape = 'blocks'] = line.split(' ')
    return { folder, kind, shape: shape as FolderShape }
  })

const byFolder = new Map(FOLDER_RULES.map((rule) => [rule.folder, rule]))
const ROOTS = new Set(FOLDER_RULES.map(({ folder }) => folder.split('/')[0] ?? ''))
/** Folders of the game that hold no script. */
const OTHER_ROOTS = new Set(['fonts', 'dlc_metadata', 'reader_export', 'shaders', 'video', 'videos'])
/** Where the game reads text from; `localisation` is what older games call it, and this one ignores. */
const TEXT_ROOTS = new Set(['localization', 'localisation'])

/**
 * The path as the game sees it: from the first folder on that is one of its own, so that a mod is known inside a repository too.
 * Folders in small letters: most mods are made on Windows, where `Common/Traits` is the folder that the game reads.
 */
export function gamePathOf(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/')
  const name = parts.pop() ?? ''
  const folders = parts.map((part) => part.toLowerCase())
  const root = folders.findIndex((folder) => ROOTS.has(folder) || TEXT_ROOTS.has(folder))
  return root < 0 ? [...parts, name].join('/') : [...folders.slice(root), name].join('/')
}

/** Whether a path begins with a folder of the game: from a mod's own folder, what the game may read. */
export function isGamePath(path: string): boolean {
  const root = path.slice(0, path.indexOf('/')).toLowerCase() || path.toLowerCase()
  return ROOTS.has(root) || TEXT_ROOTS.has(root) || OTHER_ROOTS.has(root)
}

/** A folder that only the game has: a file there is the game's, whatever it lies in. `events/a.txt` may be anybody's. */
export function isGameOnly(gamePath: string): boolean {
  const parts = gamePath.toLowerCase().split('/').slice(0, -1)
  if (TEXT_ROOTS.has(parts[0] ?? '')) return languageOfPath(gamePath) !== undefined
  return parts.some((_part, index) => index > 0 && byFolder.has(parts.slice(0, index + 1).join('/')))
}

/** The database that a file belongs to; undefined: the path is none of the game's. */
export function folderRuleOf(gamePath: string): FolderRule | undefined {
  const parts = gamePath.toLowerCase().split('/').slice(0, -1)
  for (let length = parts.length; length > 0; length--) {
    const rule = byFolder.get(parts.slice(0, length).join('/'))
    if (rule !== undefined) return rule
  }
  // A folder of a version or a game that the table does not know: its own name says what it holds.
  if (parts[0] !== 'common' || parts[1] === undefined) return undefined
  const folder = parts.slice(0, Math.min(parts.length, 3)).join('/')
  return { folder, kind: parts.at(Math.min(parts.length, 3) - 1) ?? 'entry', shape: 'blocks' }
}
