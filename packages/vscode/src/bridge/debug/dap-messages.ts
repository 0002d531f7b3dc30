/** What goes between VS Code and a debug adapter, as far as we read it. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'

export interface DapMessage extends JsonObject {
  type?: unknown
  seq?: unknown
  command?: unknown
  event?: unknown
}

export function readObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

export function readObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

export function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function readNumbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : []
}

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** VS Code gives a remote window's paths as addresses; whoever asked is on the same machine as the files. */
export function withPlainPaths(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainPaths)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'path' && typeof item === 'string' ? toPlainPath(item) : withPlainPaths(item),
    ]),
  )
}

function toPlainPath(path: string): string {
  return /^(?:vscode-remote|file):\/\//.test(path)
    ? vscode.Uri.parse(path).with({ scheme: 'file', authority: '' }).fsPath
    : path
}

/** Why an adapter refused. */
export function describeFailure(message: DapMessage): string {
  const error = readObject(readObject(message.body).error)
  const variables = readObject(error.variables)
  const long = readText(error.format)?.replace(
    /\{(_?\w+)\}/g,
    (whole, name: string) => readText(variables[name]) ?? whole,
  )
  return long || readText(message.message) || 'The debugger of VS Code refused without a reason'
}
