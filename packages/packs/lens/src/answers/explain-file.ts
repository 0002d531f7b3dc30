/** Why a file is not in the index. Undefined: it is. */
import type { NotFound } from '../generated/types.ts'
import type { FileFacts } from '../thread/reader/files.ts'

const SKIPPED: Readonly<Record<string, string>> = {
  binary: 'it is no text',
  too_large: 'it is larger than packs.lens.maxFileSize',
  minified: 'a program wrote it, in very long lines',
  unreadable: 'it cannot be read',
  link: 'it is a link',
  not_plain: 'it is no plain file',
}

export function explainFile(path: string, { state, reason = '', about }: FileFacts): NotFound | undefined {
  switch (state) {
    case 'indexed':
      return undefined
    case 'waiting':
      return { reason: 'still_building', message: `${path} is about to be read.` }
    case 'skipped':
      return { reason: 'skipped', message: `${path} is not indexed: ${SKIPPED[reason] ?? reason}.` }
    case 'failed':
      return { reason: 'failed', message: `${path} could not be read: ${reason}.` }
    case 'absent':
      return about.completeness === 'complete'
        ? {
            reason: 'not_indexed',
            message: `${path} is not indexed: it is not there, or an ignore file leaves it out.`,
          }
        : { reason: 'still_building', message: `${path} is not indexed yet.` }
  }
}
