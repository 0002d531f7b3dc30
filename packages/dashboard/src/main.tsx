/** The page: bundled into one file by scripts/run/bundle.mjs, served by the daemon. */
import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import './style.css'
import { App } from './app.tsx'

const page = document.querySelector('#page')
if (page !== null) render(<App />, page)
