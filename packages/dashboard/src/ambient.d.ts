/** Bundled with the page. */
declare module '*.css'
