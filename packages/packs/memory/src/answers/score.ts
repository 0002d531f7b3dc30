/** One number from 0 to 1 for an agent to judge a hit by, whatever found it. */
import type { Hit } from '@switchboard/store'

export function scoreOf({ share, similarity = 0 }: Pick<Hit, 'share' | 'similarity'>): number {
  return Math.round(100 * Math.max(0, Math.min(1, Math.max(share, similarity)))) / 100
}
