/**
 * An expression that runs the statements, which see the names of the frame as `n` and leave their result in `d["r"]`.
 * The names are in one dictionary: `eval` shows the locals to no comprehension.
 */
export function runInFrame(source: string, constants: string): string {
  const names = `{${constants}, "n": {**g, **l}, "d": d}`
  return `(lambda d, g, l: (exec(${JSON.stringify(source)}, ${names}), d["r"])[1])({}, globals(), locals())`
}
