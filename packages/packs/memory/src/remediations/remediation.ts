/** A remediation as it is kept: an error, what helped, and how often it did. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { StoredItem } from '@switchboard/store'
import type { ReadError } from './read-error.ts'

export const REMEDIATION = 'remediation'

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export interface Remediation {
  readonly id: string
  readonly scope: string
  readonly errorMessage: string
  readonly errorType: string
  readonly solution: string
  readonly severity: Severity
  readonly context: Readonly<Record<string, string>>
  readonly tags: readonly string[]
  /** As errors are compared. */
  readonly error: Pick<ReadError, 'normal' | 'frames' | 'signature'> & { readonly type: string | undefined }
  /** How often it was told to have helped, and not to. */
  readonly worked: number
  readonly failed: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export function readRemediation({ id, scope, data, tags, createdAt }: StoredItem): Remediation {
  const { errorMessage, errorType, solution, severity, context, normal, frames, signature, type, worked, failed } = data
  return {
    id,
    scope,
    errorMessage: readText(errorMessage),
    errorType: readText(errorType),
    solution: readText(solution),
    severity: SEVERITIES.find((name) => name === severity) ?? 'medium',
    context: readTexts(context),
    tags,
    error: {
      normal: readText(normal),
      frames: Array.isArray(frames) ? frames.map(readText) : [],
      signature: readText(signature),
      type: typeof type === 'string' ? type : undefined,
    },
    worked: readCount(worked),
    failed: readCount(failed),
    createdAt,
  }
}

export function dataOf(remediation: Omit<Remediation, 'id' | 'scope' | 'tags' | 'createdAt'>): JsonObject {
  const { errorMessage, errorType, solution, severity, context, error, worked, failed } = remediation
  const { normal, frames, signature, type } = error
  return {
    ...{ errorMessage, errorType, solution, severity, context: { ...context }, normal, frames: [...frames], signature },
    ...(type === undefined ? {} : { type }),
    ...{ worked, failed },
  }
}

/** By what it is found: what is the same in every run. */
export function textOfRemediation({ type, normal }: Pick<ReadError, 'type' | 'normal'>): string {
  return type === undefined ? normal : `${type}: ${normal}`
}

/** `worked 4 of 5 times`, `not tried yet`. */
export function describeSuccess({ worked, failed }: Pick<Remediation, 'worked' | 'failed'>): string {
  const tried = worked + failed
  if (tried === 0) return 'not tried yet'
  return `worked ${worked} of ${tried} ${tried === 1 ? 'time' : 'times'}`
}

function readTexts(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, readText(text)]))
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
