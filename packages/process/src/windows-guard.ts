/**
 * The guard of Windows (see orphan-guard.ts), for `node -e`. Windows itself ends our own children when we are killed, but nobody
 * below them; those are found by the number of who started them. Parents are gone soon, so who is there is looked at some time
 * after each start as well. A number may be somebody else's by then: what counts is when a process began, where the listing says
 * so (windows-table.ts).
 */
import { WINDOWS_LISTINGS } from './windows-table.ts'

/** By then whatever a program starts at its start is there. */
const LOOK_MS = 3_000
/** What they get to notice the end of their stdin. */
const GRACE_MS = 1_000
const PATIENCE_MS = 20_000
/** Between a start and the moment at which we are told of it, and between an end and the end of the pipe. */
const TOLERANCE_MS = 1_000

export const WINDOWS_GUARD = `
const { spawnSync } = require('node:child_process')
const listings = ${JSON.stringify(WINDOWS_LISTINGS)}
/** By pid: when we were told of it. */
const roots = new Map()
/** By pid: who was found below which root, and when it began. */
let seen = new Map()
let text = '', timer, over = Infinity

function list() {
  for (const [command, ...args] of listings) {
    const options = { encoding: 'latin1', input: '', timeout: ${PATIENCE_MS}, windowsHide: true }
    const { stdout } = spawnSync(command, args, options)
    const lines = (stdout ?? '').replaceAll('\\0', '').split('\\n').map((line) => line.trim().split(/\\s+/))
    const rows = lines.filter((words) => (words.length === 2 || words.length === 3) && words.every((word) => /^\\d+$/.test(word)))
    const found = rows.map(([parent, pid, began = '']) => ({ parent: +parent, pid: +pid, began }))
    if (found.some(({ pid }) => pid === process.pid)) return found
  }
  return []
}

function isWithin({ began }, from, until) {
  return began === '' || (+began >= from - ${TOLERANCE_MS} && +began <= until + ${TOLERANCE_MS})
}

/** Of whom it is: a root, or somebody below one, who may have gone. */
function rootOf(each, found) {
  const known = seen.get(each.pid)
  if (known !== undefined && known.began === each.began && roots.has(known.root)) return known.root
  if (roots.has(each.pid) && isWithin(each, roots.get(each.pid), over)) return each.pid
  const parent = found.get(each.parent)
  if (parent !== undefined) return isWithin(each, +parent.began, Infinity) ? parent.root : undefined
  return roots.has(each.parent) && isWithin(each, roots.get(each.parent), over) ? each.parent : undefined
}

function look() {
  const all = list()
  const found = new Map()
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const each of all) {
      if (found.has(each.pid) || each.pid === process.pid) continue
      const root = rootOf(each, found)
      if (root !== undefined) found.set(each.pid, { began: each.began, root })
    }
  }
  seen = found
}

process.stdin.on('data', (chunk) => {
  const lines = (text + chunk).split('\\n')
  text = lines.pop()
  for (const line of lines) {
    const id = parseInt(line.slice(1), 10)
    if (line[0] === '-') roots.delete(id)
    if (line[0] !== '+') continue
    roots.set(id, Date.now())
    clearTimeout(timer)
    timer = setTimeout(look, ${LOOK_MS})
  }
})

process.stdin.on('end', async () => {
  over = Date.now()
  clearTimeout(timer)
  if (roots.size === 0) return
  look()
  await new Promise((resolve) => setTimeout(resolve, ${GRACE_MS}))
  for (let turn = 0; turn < 10; turn++) {
    look()
    if (seen.size === 0) return
    for (const pid of seen.keys()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
    }
  }
})
`
