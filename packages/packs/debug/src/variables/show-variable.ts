/** One variable as an agent gets it. */
import type { DebugContext } from '../debug-host.ts'
import type { ShownVariable } from '../generated/types.ts'
import type { Variable } from '../session/debug-session.ts'
import { formatCut, isSecretName, showValue } from '../snapshot/show-value.ts'

const VALUE_LENGTH = 2_000

export function showVariable(
  { host }: Pick<DebugContext, 'host'>,
  { name, value, type, reference, named, indexed }: Variable,
  maxLength = VALUE_LENGTH,
): ShownVariable {
  const isHidden = !host.showSecrets && isSecretName(name)
  return {
    name,
    value: formatCut(showValue(name, value, { maxLength, showSecrets: host.showSecrets })),
    ...(type === undefined || type === '' ? {} : { type }),
    // What stands under the name of a secret is not to be had in pieces either.
    ...(reference === 0 || isHidden ? {} : { ref: reference }),
    ...(named === undefined ? {} : { named }),
    ...(indexed === undefined ? {} : { indexed }),
  }
}

/** `name=value ref=3`; the type where the value does not tell it. */
export function formatVariable({ name, value, ref }: ShownVariable): string {
  const handle = ref === undefined ? '' : ` ref=${ref}`
  return `${name === '' ? '' : `${name}=`}${value}${handle}`
}
