import { type BareContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { VERSION } from '../program/program-version.ts'

export async function run(context: BareContext): Promise<number> {
  const { node } = process.versions
  const platform = `${process.platform}-${process.arch}`
  if (context.isJson) printJson(context, { switchboard: VERSION, node, platform })
  else context.out.line(`switchboard ${VERSION} (node ${node}, ${platform})`)
  return EXIT.ok
}
