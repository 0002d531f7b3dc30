import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { describeIndex } from '../answers/describe-index.ts'
import type { LensPlaysetData, LensPlaysetParams } from '../generated/types.ts'
import type { Context } from '../host.ts'

export async function run(
  { action, name }: LensPlaysetParams,
  { host, call, workspace, signal }: Context,
): Promise<ToolOutcome<LensPlaysetData>> {
  const { added } = await host.playsets.list()
  const names = added.map((one) => one.name)
  if (action === 'list') {
    const active = await host.playsets.activeName(call.caller)
    const lines = names.map((one) => `${one === active ? '* ' : '  '}${one}`)
    const text =
      lines.length === 0 ? 'No playset was added: a person does so with `switchboard playset add`.' : lines.join('\n')
    return { data: { playsets: names, ...(active === undefined ? {} : { active }) }, text }
  }
  if (action === 'use') {
    if (name === undefined) throw new ToolError('E_PLAYSET_NOT_FOUND', 'Give the name of the playset')
    await host.playsets.choose(call.caller, name)
  }
  const opened =
    name === undefined || action === 'use'
      ? await host.playsets.open(call.caller, workspace, signal)
      : await host.playsets.openNamed(name, signal)
  const { layers, left, warnings } = opened.playset
  const about = await host.index.read('about', [opened.judged.parts], signal)
  const text = [
    `${opened.name}: ${layers.length} layers, lowest first`,
    ...layers.map((layer, at) => `${at + 1}. ${layer.kind} ${layer.name}`),
    ...left.map((mod) => `left out: ${mod.name} (${mod.reason})`),
    ...warnings.map((warning) => `warning: ${warning}`),
    describeIndex(about),
  ].join('\n')
  return {
    data: {
      index: about,
      active: opened.name,
      playsets: names,
      layers: layers.map((layer) => ({
        ...{ name: layer.name, kind: layer.kind, path: layer.path },
        ...{ replacePaths: [...layer.replacePaths], dependencies: [...layer.dependencies] },
      })),
      left: left.map((mod) => ({ name: mod.name, reason: mod.reason })),
      warnings: [...warnings],
    },
    text,
  }
}
