/** What a tool answered, for a person (described) or for a pipe (--raw). */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorMessage } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CallToolResult, ContentBlock } from '@switchboard/protocol/mcp'
import type { CommandContext } from '../context/command-context.ts'
import { formatBytes } from '../terminal/format.ts'
import { toSafeLine, toSafeText } from '../terminal/safe-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface Binary {
  readonly bytes: Buffer
  readonly mimeType: string
}

export interface PrintOptions {
  /** A file for the first content that is no text. */
  readonly output: string | undefined
  readonly isRaw: boolean
}

export async function printResult(
  context: CommandContext,
  result: CallToolResult,
  options: PrintOptions,
): Promise<void> {
  const target = result.isError === true ? context.err : context.out
  const blocks = Array.isArray(result.content) ? result.content : []
  if (options.output !== undefined) await saveBinary(context, blocks, options.output)
  if (options.isRaw) return printRaw(target, blocks)
  let hasText = false
  for (const block of blocks) {
    const text = readBlockText(block)
    hasText ||= text !== undefined
    if (text !== undefined) await printText(target, text)
    else if (options.output === undefined || readBinary(block) === undefined) target.line(describe(block, target))
  }
  if (!hasText && result.structuredContent !== undefined) {
    await printText(target, JSON.stringify(result.structuredContent, null, 2))
  }
  if (blocks.length === 0 && result.structuredContent === undefined) {
    context.err.line(context.err.style.dim('(the tool answered without content)'))
  }
}

async function printText(target: Terminal, text: string): Promise<void> {
  const shown = target.isTTY ? toSafeText(text) : text
  await target.writeSlowly(shown.endsWith('\n') ? shown : `${shown}\n`)
}

async function printRaw(target: Terminal, blocks: readonly ContentBlock[]): Promise<void> {
  for (const block of blocks) {
    const bytes = readBinary(block)?.bytes
    // Bytes of a server are nothing for a terminal.
    if (bytes !== undefined && target.isTTY) target.line(describe(block, target))
    else await target.writeSlowly(readBlockText(block) ?? bytes ?? '')
  }
}

function readBlockText(block: ContentBlock): string | undefined {
  if (block.type === 'text' && typeof block.text === 'string') return block.text
  const { resource } = block
  return block.type === 'resource' && isJsonObject(resource) && typeof resource.text === 'string'
    ? resource.text
    : undefined
}

function readBinary(block: ContentBlock): Binary | undefined {
  const { data, mimeType, resource } = block
  if (typeof data === 'string')
    return { bytes: Buffer.from(data, 'base64'), mimeType: String(mimeType ?? 'unknown type') }
  if (!isJsonObject(resource) || typeof resource.blob !== 'string') return undefined
  return { bytes: Buffer.from(resource.blob, 'base64'), mimeType: String(resource.mimeType ?? 'unknown type') }
}

function describe(block: ContentBlock, { style }: Terminal): string {
  const binary = readBinary(block)
  if (binary !== undefined) {
    const size = formatBytes(binary.bytes.length)
    return `[${toSafeLine(binary.mimeType)}, ${size}] ${style.dim('save it with --output <file>')}`
  }
  if (block.type === 'resource_link') {
    const { uri, name, mimeType } = block
    const type = mimeType === undefined ? '' : `, ${String(mimeType)}`
    return toSafeLine(`[link${type}] ${name === undefined ? '' : `${String(name)} `}${String(uri)}`)
  }
  return `[${toSafeLine(String(block.type))}] ${style.dim('--json shows it')}`
}

async function saveBinary({ err, io }: CommandContext, blocks: readonly ContentBlock[], output: string): Promise<void> {
  const found = blocks.map(readBinary).filter((binary) => binary !== undefined)
  const [first] = found
  if (first === undefined) {
    err.line(`${err.style.yellow('warning:')} nothing was saved: the answer has no image, audio or file in it`)
    return
  }
  const path = resolve(io.cwd, output)
  try {
    await writeFile(path, first.bytes)
  } catch (error) {
    const reason = errorMessage(error)
    throw new SwitchboardError('invalid_arguments', `The answer could not be saved: ${reason}.`, {
      hint: 'The tool has run. Choose another --output, or read the answer with --json.',
      executed: true,
      cause: error,
    })
  }
  const more = found.length > 1 ? `; ${found.length - 1} more in the answer, see --json` : ''
  err.line(`saved ${toSafeLine(first.mimeType)}, ${formatBytes(first.bytes.length)}, to ${output}${more}`)
}
