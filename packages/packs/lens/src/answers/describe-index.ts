/** Of which moment an answer is, and what is missing in it: one line, for the model. */
import type { About } from '../thread/reader/about.ts'

export function describeIndex({ generation, completeness, waiting, failed }: About, staleFiles = 0): string {
  const parts = [
    `index generation ${generation}`,
    ...(completeness === 'complete' ? ['complete'] : []),
    ...(completeness === 'building' ? [`still building (${waiting} to do): what is missing here may be there`] : []),
    ...(completeness === 'partial' ? ['partial: the folder has more files than packs.lens.maxFiles'] : []),
    ...(completeness === 'never_built' ? ['nothing is indexed yet'] : []),
    ...(failed > 0 ? [`${failed} files could not be read (lens_status)`] : []),
    ...(staleFiles > 0 ? [`${staleFiles} of these files changed since they were read`] : []),
  ]
  return `[${parts.join('; ')}]`
}

export function countOf({ total, isLowerBound }: { readonly total: number; readonly isLowerBound: boolean }): string {
  return `${total}${isLowerBound ? '+' : ''}`
}

/** One line of somebody's text, cut to a length. */
export function cutLine(text: string, length: number): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length <= length ? plain : `${plain.slice(0, length - 1)}…`
}
