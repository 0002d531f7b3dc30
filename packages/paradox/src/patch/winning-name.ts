/** A path that comes last, or first, among others in one folder, whichever of the rules about sub-folders is true. */
import { compareLoadOrder } from '../order/load-order.ts'

const LATE = ['zzz', 'zzzzzz', 'zzzzzzzzzzzz', '~zzz', '~~~~zzz']
const EARLY = ['00', '000000', '!00', '!!!!00']

/** Undefined: no name does; the rivals have taken all that we know. */
export function lastPath(
  folder: string,
  stem: string,
  extension: string,
  rivals: readonly string[],
): string | undefined {
  const places = LATE.flatMap((late) => [
    `${folder}/${late}_${stem}.${extension}`,
    `${folder}/${late}_${stem}/${late}_${stem}.${extension}`,
  ])
  return places.find((path) => rivals.every((rival) => isBefore(rival, path)))
}

export function firstPath(
  folder: string,
  stem: string,
  extension: string,
  rivals: readonly string[],
): string | undefined {
  return EARLY.map((early) => `${folder}/${early}_${stem}.${extension}`).find((path) =>
    rivals.every((rival) => isBefore(path, rival)),
  )
}

function isBefore(left: string, right: string): boolean {
  return compareLoadOrder(left, right, 'files-first') < 0 && compareLoadOrder(left, right, 'plain-path') < 0
}
