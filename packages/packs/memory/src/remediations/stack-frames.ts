/** The frames of a stack trace, in the form of whatever language wrote it, as `function@file` without places and folders. */

export interface StackReading {
  /** Innermost or outermost first, as the trace has them; each once. */
  readonly frames: readonly string[]
  /** The lines that belong to no frame; an empty one where something stood between them. */
  readonly rest: readonly string[]
}

const MAX_LINES = 1_000
const MAX_LINE = 600
const MAX_FRAMES = 50

/** Each gives the function and the file; either may be empty. */
const FORMS: readonly RegExp[] = [
  // JavaScript: `at async load (file:///a/b.js:3:5)`, `at /a/b.js:3:5`; ` {` behind the last where members follow
  /^\s{0,40}at (?:async )?(?:new )?(?:(?<fn>[^\s()]{1,200})(?: \[as [\w$.]{1,80}\])? )?\(?(?<file>[^\s()]{1,400}):\d{1,7}:\d{1,7}\)?(?: \{)?$/,
  // Java, Kotlin, Scala: `at org.acme.App.main(App.java:12)`
  /^\s{0,40}at (?:[\w.-]{1,80}\/)?(?<fn>[\w$.<>]{1,300})\((?<file>[\w$.-]{1,200})(?::\d{1,7})?\)$/,
  // C#: `at Acme.App.Main(String[] args) in /a/App.cs:line 12`
  /^\s{0,40}at (?<fn>[\w.`+<>]{1,300})\([^()]{0,200}\)(?: in (?<file>[^\n]{1,300}):line \d{1,7})?$/,
  // Python: `File "/a/b.py", line 3, in load`
  /^\s{0,40}File "(?<file>[^"]{1,400})", line \d{1,7}(?:, in (?<fn>[^\n]{1,200}))?$/,
  // pytest: `src/b.py:12: ValueError`
  /^(?<file>[^\s:]{1,300}\.py):\d{1,7}: (?:in (?<fn>\w{1,100})|\w{1,100})$/,
  // Ruby: `from /a/b.rb:3:in 'App#load'`
  /^\s{0,40}(?:from )?(?<file>[^\s:]{1,400}\.rb):\d{1,7}:in [`'](?<fn>[^'`]{1,200})'$/,
  // PHP: `#0 /a/b.php(12): App->load()`
  /^#\d{1,4} (?<file>[^\s(]{1,400})\(\d{1,7}\): (?<fn>[\w\\>:-]{1,200})\(/,
  // gdb, lldb: `#1  0x55 in load (x=1) at /a/b.c:12`
  /^\s{0,10}(?:frame )?#\d{1,4}:?\s{1,4}(?:0x[0-9a-f]{1,16} in )?(?<fn>[\w:~<>,.*&$`]{1,200})(?: ?\([^)]{0,200}\))?(?: (?:at|from) (?<file>[^\s:]{1,400}))?/,
  // Go: the place below its function
  /^\s{1,8}(?<file>[^\s:]{1,400}\.go):\d{1,7}(?: \+0x[0-9a-f]{1,8})?$/,
  // Go: `main.load(0xc000012, 0x3)`
  /^(?:created by )?(?<fn>[\w./-]{1,200}\.(?:\(\*?\w{1,80}\)\.)?[\w.]{1,100})(?:\([^()]{0,300}\)| in goroutine \d{1,9})$/,
  // Rust: `3: app::load`, and its place below
  /^\s{0,6}\d{1,4}: (?:0x[0-9a-f]{1,16} - )?(?<fn>[\w:<>{}# ,&]{1,300})$/,
  /^\s{4,30}at (?<file>[^\s:]{1,400}\.rs):\d{1,7}:\d{1,7}$/,
  // Elixir: `(app 0.1.0) lib/b.ex:12: App.load/1`
  /^\s{0,20}(?:\([\w .-]{1,80}\) )?(?<file>[^\s:]{1,300}\.exs?):\d{1,7}: (?<fn>[\w.!?]{1,200}\/\d{1,3})$/,
]

/** What stands around a stack and says nothing of the error. */
const NOISE =
  /^\s*(?:Traceback \(most recent call last\):|Node\.js v\d[\w.-]*|goroutine (?:\d+|#) \[[^\]]*\]:|stack backtrace:|note: (?:run|Some details)|exit status \d+|\[Previous line repeated|\.\.\. \d+ more|\^+~*\^*|~+\^~*|--> |\d{0,6} \| |npm (?:ERR!|error) A complete log|During handling of the above exception|The above exception was the direct cause)/
/** Frames of the platform: every program has them. */
const PLATFORM = /^(?:node:|internal\/|<frozen |runtime\/|rustc\/|\/rustc\/|native$)|^<anonymous>$/

export function readStack(text: string): StackReading {
  const frames = new Set<string>()
  const rest: string[] = []
  let isAfterPython = false
  for (const raw of text.split('\n', MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE).trimEnd()
    const frame = readFrame(line)
    // Python shows the source below its frame, four blanks in.
    const isSource: boolean = isAfterPython && /^\s{4}/.test(line)
    isAfterPython = frame === undefined ? isSource : /^\s*File "/.test(line)
    if (frame === undefined) {
      rest.push(isSource || NOISE.test(line) ? '' : line)
    } else {
      rest.push('')
      if (frame !== '' && frames.size < MAX_FRAMES) frames.add(frame)
    }
  }
  return { frames: [...frames], rest }
}

/** Empty: a frame that tells nothing. Undefined: none. */
function readFrame(line: string): string | undefined {
  for (const form of FORMS) {
    const groups = form.exec(line)?.groups
    if (groups === undefined) continue
    const { fn = '', file = '' } = groups
    if (PLATFORM.test(file) || PLATFORM.test(fn)) return ''
    const [path = ''] = file.split(/[?#]/, 1)
    const name = path.split(/[\\/]/).at(-1) ?? ''
    const frame = `${fn}@${name}`.toLowerCase()
    return frame === '@' ? '' : frame
  }
  return undefined
}

/** How many of the frames of one the other has. */
export function countShared(one: readonly string[], other: readonly string[]): number {
  const known = new Set(other)
  return one.filter((frame) => known.has(frame)).length
}

/** Of two stacks that both tell something: whether half of the shorter one is in the other. */
export function haveHalfInCommon(one: readonly string[], other: readonly string[]): boolean {
  const shorter = Math.min(one.length, other.length)
  return shorter > 0 && countShared(one, other) * 2 >= shorter
}
