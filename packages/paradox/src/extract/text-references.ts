/** What a text of the game names: `$key$`, `[Concept('x', …)]`, `[trait|E]`, `@icon!`. */
import type { ExtractionBuilder } from './extraction-builder.ts'

/** The function of the game's data language, and what its first argument names. */
const BY_FUNCTION: Readonly<Record<string, readonly string[]>> = {
  Concept: ['game_concept'],
  Custom: ['customizable_localization'],
  Custom2: ['customizable_localization'],
  GetTrait: ['trait'],
  GetTitleByKey: ['title'],
  GetCultureByKey: ['culture'],
  GetFaithByKey: ['faith'],
  GetReligionByKey: ['religion'],
  GetDecisionWithKey: ['decision'],
  GetScriptedGui: ['scripted_gui'],
  GetBuilding: ['building'],
  GetPerk: ['perk'],
  GetMaA: ['men_at_arms'],
  GetActivityType: ['activity'],
  GetModifier: ['modifier'],
  ScriptValue: ['script_value'],
  Localize: ['localization', 'engine'],
}
/** Who shows a text may fill in any name, so what is not defined is no mistake. */
const TEXT = ['localization', 'engine'] as const
const CONCEPT = ['game_concept', 'engine'] as const
const ICON = ['gui_text_icon', 'engine'] as const
const PATTERN = /\$([\w.'-]+)(?:\|[^$]*)?\$|\b([A-Z]\w+)\(\s*'([\w.-]+)'|\[(\w+)\|[eE]\]|@(\w+)!/g

/** `text` stands in the file from `start` to `end`. */
export function addTextReferences(
  builder: ExtractionBuilder,
  text: string,
  start: number,
  end: number,
  within: number,
): void {
  if (!/[$[@]/.test(text)) return
  for (const match of text.matchAll(PATTERN)) {
    const [whole, key, called, argument, concept, icon] = match
    const name = key ?? argument ?? concept ?? icon ?? ''
    const kinds =
      key !== undefined ? TEXT : concept !== undefined ? CONCEPT : icon !== undefined ? ICON : BY_FUNCTION[called ?? '']
    if (kinds === undefined) continue
    const offset = match.index + whole.indexOf(name, argument === undefined ? 0 : (called?.length ?? 0))
    // What is no UTF-8 is longer in the text than it is in the file.
    builder.addReference(name, kinds, Math.min(end, start + Buffer.byteLength(text.slice(0, offset))), within)
  }
}
