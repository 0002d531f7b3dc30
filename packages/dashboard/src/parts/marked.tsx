/** What is for typing stands between backticks in our own sentences: `switchboard up`. */
export function Marked({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
}
