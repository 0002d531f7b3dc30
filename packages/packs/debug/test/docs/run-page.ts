/** Does what a page of documentation shows, and puts what really came into it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { JsonObject } from '@switchboard/protocol'
import type { DebugWorkspace } from '../helpers/debug-bench.ts'

const FENCE = /^```(\S*)(?: file=(\S+))?\n(.*?)^```\n/gms
const ANSWER = /^\n```answer\n.*?^```\n/gms

/** A section with the answers as they are now. */
export async function runSection(section: string, workspace: DebugWorkspace): Promise<string> {
  const bare = section.replace(ANSWER, '')
  let result = ''
  let end = 0
  for (const match of bare.matchAll(FENCE)) {
    const [whole, kind = '', file, body = ''] = match
    result += bare.slice(end, match.index) + whole
    end = match.index + whole.length
    if (file !== undefined) await workspace.write(file, body)
    else if (kind === 'build') await build(body.trim(), workspace.root)
    else if (kind === 'call') result += `\n\`\`\`answer\n${tidy(await call(body.trim(), workspace))}\n\`\`\`\n`
  }
  return result + bare.slice(end)
}

async function build(command: string, cwd: string): Promise<void> {
  const [program = '', ...args] = command.split(' ')
  await promisify(execFile)(program, args, { cwd })
}

async function call(line: string, workspace: DebugWorkspace): Promise<string> {
  const [, name = '', args = '{}'] = /^(\w+) (\{.*\})$/s.exec(line) ?? []
  // Whoever writes the page writes an object.
  const answer = await workspace.call(name, JSON.parse(args) as JsonObject)
  return answer.text
}

/** What is another one in every run: handles, addresses, times. */
function tidy(text: string): string {
  return text
    .replace(/ref=\d+/g, 'ref=…')
    .replace(/0x[0-9a-f]{6,}/g, '0x…')
    .replace(/\b\d+\.\d+s\b/g, '…s')
    .trimEnd()
}
