#!/usr/bin/env node
// The switchboard command. Plain JavaScript for Node 20, and nothing is imported on the way to a Node that will do:
// agents start this file, and wait for it.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// 23.0 to 23.5 are older than 22.18 in all but name.
const isNewEnough = major === 23 ? minor >= 6 : major > 22 || (major === 22 && minor >= 18)

if (isNewEnough) await runCommand()
else await runOnToolchainNode()

async function runCommand() {
  // Before anything else: what an agent's window keeps running is the front alone. It comes back for what is not its own.
  if (process.argv.includes('mcp')) await (await load('../dist/front.mjs'))?.runFrontProgram()
  await (await load('../dist/switchboard.mjs'))?.runProgram()
}

async function load(file) {
  try {
    return await import(file)
  } catch (error) {
    // Only our own file's absence is this message's business; a missing dependency keeps its own.
    const { fileURLToPath } = await import('node:url')
    const isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && error.url === new URL(file, import.meta.url).href
    if (!isMissing) throw error
    fail(`${fileURLToPath(error.url)} is not built yet: run npm start (or npm run build) once in the clone.`)
    return undefined
  }
}

async function runOnToolchainNode() {
  const { spawn } = await import('node:child_process')
  const { existsSync } = await import('node:fs')
  const { constants } = await import('node:os')
  const { fileURLToPath } = await import('node:url')

  const platform = process.platform === 'win32' ? 'win' : process.platform
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  const node = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]
    .map((name) => fileURLToPath(new URL(`../../../.toolchain/node_modules/${name}/bin/${binary}`, import.meta.url)))
    .find((path) => existsSync(path))
  if (node === undefined) {
    fail(
      `Switchboard needs Node 22.18 or later, this is ${process.versions.node}: run npm start once in the clone, which installs one there, or install it yourself.`,
    )
    return
  }

  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal's Ctrl-C reaches the child by itself, and on Windows a forwarded signal would be a hard kill.
  const hasTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (process.platform !== 'win32' && !(signal === 'SIGINT' && hasTerminal)) child.kill(signal)
    })
  }
  child.once('error', (error) => fail(`Could not run ${node}: ${error.message}`))
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal])
  })
}

function fail(message) {
  process.stderr.write(`switchboard: ${message}\n`)
  process.exitCode = 69
}
