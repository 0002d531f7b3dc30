/** Node and TypeScript by the inspector that every Node has: no adapter is needed. */
import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import { OrphanGuard } from '@switchboard/process'
import type { DebugEngine } from '../session/debug-session.ts'
import { attachNode } from './attach-node.ts'
import { launchNode } from './launch-node.ts'
import { findNode } from './node-command.ts'

const EXTENSIONS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx']
const FIRST_BYTES = 128

export function createNodeEngine({ guard = new OrphanGuard() }: { guard?: OrphanGuard } = {}): DebugEngine {
  return {
    name: 'node',
    languages: ['node', 'typescript', 'javascript'],
    launchTypes: ['node', 'pwa-node', 'node2', 'node-terminal'],
    accepts: (program) => EXTENSIONS.includes(extname(program).toLowerCase()) || beginsWithNode(program),
    locate: async () => ({ found: true, what: findNode() }),
    start: (request, context) =>
      request.kind === 'launch' ? launchNode(request, context, guard) : attachNode(request, context),
  }
}

function beginsWithNode(program: string): boolean {
  try {
    const file = openSync(program, 'r')
    try {
      const start = Buffer.alloc(FIRST_BYTES)
      const length = readSync(file, start, 0, FIRST_BYTES, 0)
      const [line = ''] = start.toString('utf8', 0, length).split('\n')
      return /^#!.*\b(?:node|tsx)\b/.test(line)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
