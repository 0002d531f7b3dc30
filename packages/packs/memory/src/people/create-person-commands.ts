/** What a person may ask of the memory at a terminal: `switchboard memory …` and `switchboard skill …`. */
import type { PersonCommand } from '@switchboard/toolkit'
import type { Host } from '../host.ts'
import { evaluate } from './person-evaluation.ts'
import { exportItems, importItems } from './person-files.ts'
import { countItems, deleteItems, listItems, searchItems, showItem } from './person-items.ts'
import { deleteSkill, listSkills, saveSkill, showHistory, showSkill } from './person-skills.ts'

export function createPersonCommands(host: Host): Readonly<Record<string, PersonCommand>> {
  return {
    list: (params, call) => listItems(host, params, call),
    search: (params, call) => searchItems(host, params, call),
    show: (params, call) => showItem(host, params, call),
    delete: (params, call) => deleteItems(host, params, call),
    /** Others have changed what is stored. Tells skills that had the name of another, and are called otherwise now. */
    refresh: async () => ({ renamed: (await host.skills.reload()).map((skill) => ({ ...skill })) }),
    count: (_, call) => countItems(host, call),
    eval: (params, call) => evaluate(host, params, call),
    export: (params, call) => exportItems(host, params, call),
    import: (params, call) => importItems(host, params, call),
    skill_list: (params) => listSkills(host, params),
    skill_show: (params) => showSkill(host, params),
    skill_history: (params) => showHistory(host, params),
    skill_save: (params) => saveSkill(host, params),
    skill_delete: (params) => deleteSkill(host, params),
  }
}
