/** Where the last backup of a store went, told beside its file: that is looked for when the file can no longer be read. */
import { resolve } from 'node:path'
import { writeFileAtomically } from '@switchboard/base'

export const backupNoteOf = (file: string): string => `${file}.last-backup`

export async function noteBackup(file: string, backup: string): Promise<void> {
  const note = { file: resolve(backup), at: new Date().toISOString() }
  await writeFileAtomically(backupNoteOf(file), `${JSON.stringify(note)}\n`)
}
