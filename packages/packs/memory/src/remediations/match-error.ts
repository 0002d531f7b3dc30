/**
 * How well a remediation fits an error: 0.7 meaning + 0.3 letters, more where the kind is the same or half of the stack is in
 * common, 1 at most. One threshold, on the whole: a paraphrase shares few letters, and a typing mistake few words.
 */
import { boundedDistance } from '@switchboard/base'
import { compareWords, isTelling, weighWords } from './compare-words.ts'
import type { ReadError } from './read-error.ts'
import { countShared, haveHalfInCommon } from './stack-frames.ts'

export interface Match {
  /** 0 to 1: by this they are sorted. */
  readonly score: number
  readonly semantic: number
  readonly letters: number
  readonly isSameType: boolean
  readonly isStackShared: boolean
  /** Frames in common, of so many of the error in question. */
  readonly sharedFrames: number
  readonly frames: number
  /** It is the same error, and one that can be told from others: worth a word to an agent that has not asked. */
  readonly isSure: boolean
}

const MEANING = 0.7
const LETTERS = 0.3
const TYPE_BOOST = 0.1
const STACK_BOOST = 0.15
/** The rest of two long messages is compared by their words. */
const MAX_LETTERS = 400
/** Further apart, letters say nothing. */
const FARTHEST = 0.6
/** As near as this they mean the same: 0 is any two texts, 1 letter by letter the same. */
const SAME_MEANING = 0.8
const SURE = 0.95

export type Comparable = Pick<ReadError, 'type' | 'normal' | 'frames'>

/** `similarity`: as the finder tells it, where there is an encoder. */
export function matchError(asked: Comparable, stored: Comparable, similarity?: number): Match {
  const words = weighWords(asked.normal, asked.type)
  const semantic = Math.max(compareWords(words, weighWords(stored.normal, stored.type)), toMeaning(similarity))
  const letters = compareLetters(asked.normal, stored.normal)
  const isSameType = asked.type !== undefined && asked.type === stored.type
  const isStackShared = haveHalfInCommon(asked.frames, stored.frames)
  const boost = 1 + (isSameType ? TYPE_BOOST : 0) + (isStackShared ? STACK_BOOST : 0)
  const score = Math.min(1, (MEANING * semantic + LETTERS * letters) * boost)
  const isSame = asked.normal === stored.normal || (isStackShared && isSameType && semantic >= SURE && letters >= SURE)
  return {
    score,
    semantic,
    letters,
    isSameType,
    isStackShared,
    sharedFrames: countShared(asked.frames, stored.frames),
    frames: asked.frames.length,
    isSure: isSame && (isStackShared || isTelling(words, asked.type)),
  }
}

/** 1 for the same in other words. */
function toMeaning(similarity = 0): number {
  return Math.min(1, Math.max(0, similarity / SAME_MEANING))
}

function compareLetters(one: string, other: string): number {
  if (one === other) return 1
  const [left, right] = [one.slice(0, MAX_LETTERS), other.slice(0, MAX_LETTERS)]
  const longer = Math.max(left.length, right.length)
  const distance = boundedDistance(left, right, Math.floor(longer * FARTHEST))
  return distance === undefined ? 0 : 1 - distance / longer
}
