// Loaded into a daemon before anything else (`node --import`). It tells the test, on the fourth file handle, for how long the
// event loop stood still and how much memory the process takes. Plain JavaScript: it must cost nothing and import nothing of ours.
//
// What counts is the loop's own time, told apart: `ran`, on the processor, and `held`, in a system call. The time that its thread
// waited for a processor is the machine's fault; Linux counts it in schedstat, and it is taken off. Elsewhere all of it is `held`.

import { openSync, readSync, writeSync } from 'node:fs'

const REPORT_FD = 3
const TICK_MS = 20
const BEAT_MS = 100
/** Shorter ones are nobody's business. */
const TELL_MS = 50

const buffer = Buffer.alloc(128)
const schedule = openSchedule()
let last = look()
let beatAt = 0

const timer = setInterval(() => {
  const now = look()
  const ran = now.ran - last.ran
  const held = now.at - last.at - (now.waited - last.waited) - ran - TICK_MS
  last = now
  if (ran < TELL_MS && held < TELL_MS && now.at - beatAt < BEAT_MS) return
  beatAt = now.at
  tell({ at: Date.now(), ran: Math.round(ran), held: Math.max(0, Math.round(held)), rss: process.memoryUsage.rss() })
}, TICK_MS).unref()

/** In milliseconds: the time, what the main thread ran of it, and how long it was ready and had no processor. */
function look() {
  const at = performance.now()
  if (schedule === undefined) return { at, ran: 0, waited: 0 }
  const length = readSync(schedule, buffer, 0, buffer.length, 0)
  const [ran = 0, waited = 0] = buffer.toString('latin1', 0, length).split(' ').map(Number)
  return { at, ran: ran / 1e6, waited: waited / 1e6 }
}

function openSchedule() {
  try {
    // The main thread's number is the process's.
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return undefined
  }
}

function tell(report) {
  try {
    writeSync(REPORT_FD, `${JSON.stringify(report)}\n`)
  } catch (error) {
    // The test is gone, or does not read: the daemon goes on as if nobody watched.
    if (error.code === 'EAGAIN') return
    clearInterval(timer)
  }
}
