#!/usr/bin/env node
// The switchboard command. Plain JavaScript for Node 20, and nothing is imported on the way to a Node that will do:
// agents start this file, and wait for it.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// 23.0 to 23.5 are older than 22.18 in all but name.
const isNewEnough = major === 23 ? minor >= 6 : major > 22 || (major === 22 && minor >= 18)

if (isNewEnough) await runCommand()
else await runOnOldNode()

async function runCommand() {
  keepCompiled()
  // Before anything else: what an agent's window keeps running is the front alone. It comes back for what is not its own.
  if (isFront() || isVersion()) await (await load('../dist/front.mjs'))?.runFrontProgram()
  await (await load('../dist/switchboard.mjs'))?.runProgram()
}

function isFront() {
  return process.argv.includes('mcp')
}

function isVersion() {
  return process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])
}

// What the engine made of the command is read again at the next start, which takes half as long. It lies beside the command: who
// may write there may change the command itself, and where we may not write Node goes on without.
function keepCompiled() {
  const { fileURLToPath } = process.getBuiltinModule('node:url')
  process
    .getBuiltinModule('node:module')
    .enableCompileCache(fileURLToPath(new URL('../dist/compiled', import.meta.url)))
}

async function load(file) {
  try {
    return await import(file)
  } catch (error) {
    // Only our own file's absence is this message's business; a missing dependency keeps its own.
    const { fileURLToPath } = await import('node:url')
    const isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && error.url === new URL(file, import.meta.url).href
    if (!isMissing) throw error
    const cure = (await isInClone())
      ? 'is not built yet: run npm start (or npm run build) once in the clone.'
      : 'is missing: install Switchboard again.'
    fail(`${fileURLToPath(error.url)} ${cure}`)
    return undefined
  }
}

async function runOnOldNode() {
  const { accessSync, constants } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')

  const platform = process.platform === 'win32' ? 'win' : process.platform
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  const target = `${platform}-${process.arch}`
  // The packages of `scripts/run/toolchain.mjs`; somebody else's has that name for this one.
  const name = target === 'darwin-arm64' ? `node-bin-${target}` : `node-${target}`
  const node = fileURLToPath(new URL(`../../../.toolchain/node_modules/${name}/bin/${binary}`, import.meta.url))
  try {
    accessSync(node, constants.X_OK)
  } catch {
    // A clone brings its own; a package that npm has installed runs on the Node that is there.
    const cure = (await isInClone())
      ? 'run npm start once in the clone, which installs one there, or install it yourself.'
      : 'install a newer one (24 is what we develop on), put it first on PATH, and run the command again.'
    fail(`Switchboard needs Node 22.18 or later, this is ${process.versions.node}: ${cure}`)
    return
  }
  if (isFront() && process.getBuiltinModule !== undefined) {
    // All that Node 20 lacks of what the front uses. A second process for each window would cost 44 MB.
    Promise.withResolvers ??= function () {
      let parts
      const promise = new this((resolve, reject) => {
        parts = { resolve, reject }
      })
      return { promise, ...parts }
    }
    await (await load('../dist/front.mjs'))?.runFrontProgram({ node })
  }
  const command = [node, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  // From Node 22.15 on, not on Windows: we become it, and nobody is left to wait.
  if (process.execve !== undefined && process.platform !== 'win32') process.execve(node, command, process.env)
  else await runAndWait(command)
}

async function isInClone() {
  const { existsSync } = await import('node:fs')
  return existsSync(new URL('../../../scripts/run.mjs', import.meta.url))
}

async function runAndWait([node, ...args]) {
  const { spawn } = await import('node:child_process')
  const { constants } = await import('node:os')
  // It ends when we are killed and cannot pass that on.
  const env = { ...process.env, SWITCHBOARD_LAUNCHER: String(process.pid) }
  const child = spawn(node, args, { stdio: 'inherit', env })
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
