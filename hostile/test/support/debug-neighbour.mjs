/**
 * Another user of the machine who looks for inspectors: asks every port that it is given where it can be taken over, tries what
 * could be the way, and runs code there. Prints one line of JSON. Plain JavaScript without imports of ours: it may read no clone.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For a machine that is busy; nobody keeps silent who is asked here. */
const PATIENCE_MS = 20_000
const ports = process.argv.slice(1).map(Number)

function ask(port, path) {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false, timeout: PATIENCE_MS }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('close', () => resolve(text))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(''))
  })
}

/** What the program at the other end is, in its own words; undefined when it does not listen to us. */
function evaluate(url) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    const timer = setTimeout(() => socket.close(), PATIENCE_MS)
    const params = { expression: 'process.getuid()', returnByValue: true }
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }))
    socket.onmessage = ({ data }) => {
      resolve(JSON.parse(data).result?.result?.value)
      socket.close()
    }
    socket.onclose = () => {
      clearTimeout(timer)
      resolve(undefined)
    }
    socket.onerror = () => resolve(undefined)
  })
}

/** Addresses in whatever this user may read of other processes and of the folder that all share. */
function findTold() {
  const files = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith('switchboard'))) {
    const folder = join(tmpdir(), name)
    try {
      files.push(...readdirSync(folder).map((file) => join(folder, file)))
    } catch {
      // Not for us.
    }
  }
  return files.flatMap((file) => {
    try {
      if (!statSync(file).isFile()) return []
      return [...readFileSync(file, 'latin1').matchAll(/ws:\/\/127\.0\.0\.1:(\d+)\/[\w-]+/g)]
    } catch {
      return []
    }
  })
}

const taken = {}
for (const port of ports) {
  const answers = await Promise.all(['/json', '/json/list', '/json/version'].map((path) => ask(port, path)))
  const published = answers.flatMap((text) => text.match(/ws:\/\/[^"]+/g) ?? [])
  const read = findTold().flatMap(([url, at]) => (Number(at) === port ? [url] : []))
  const guesses = ['', 'json', '1', '00000000-0000-0000-0000-000000000000'].map(
    (path) => `ws://127.0.0.1:${port}/${path}`,
  )
  for (const url of [...published, ...read, ...guesses]) taken[port] ??= await evaluate(url)
}
process.stdout.write(JSON.stringify({ uid: process.getuid(), taken }))
