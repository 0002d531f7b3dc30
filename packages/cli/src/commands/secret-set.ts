import { text as readAll } from 'node:stream/consumers'
import { KeptVariables } from '@switchboard/daemon/configuration'
import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { askVerdict } from '../config/ask-verdict.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { throwOnInterruption } from '../program/io.ts'
import { askHidden } from '../trust/ask-hidden.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/
const MAX_CHARACTERS = 64 * 1024

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const { io, home } = context
  if (!NAME.test(name)) {
    throw new UsageError(`"${name}" is no name of a variable.`, {
      command: 'secret set',
      hint: 'Such as GITHUB_TOKEN.',
    })
  }
  const value = io.stdin.isTTY === true ? await askHidden(context, `${name}: `) : await readPiped(context)
  throwOnInterruption(io)
  if (value === '' || value.length > MAX_CHARACTERS) {
    const what = value === '' ? 'Nothing was given' : `That has ${value.length} characters`
    throw new UsageError(`${what}: nothing was kept.`, { command: 'secret set' })
  }
  await new KeptVariables(home.secrets, io.env).set(name, value, { signal: io.signal })
  const isApplied = (await askVerdict(context, '', false)).state === 'applied'
  if (context.isJson) printJson(context, { name, kept: true, applied: isApplied })
  else context.out.line(`Kept ${name}.${isApplied ? ' Servers that lacked it start.' : ''}`)
  return EXIT.ok
}

/** Whatever a program prints ends with a line break that is not meant. */
async function readPiped({ io }: CommandContext): Promise<string> {
  return (await readAll(io.stdin)).replace(/\r?\n$/, '')
}
