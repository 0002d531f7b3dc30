/** Text of any length as it is, in a box that scrolls, which the keyboard has to reach. */
export function TextBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section class="block" tabIndex={0} aria-label={label}>
      <pre class="lines">{text}</pre>
    </section>
  )
}
