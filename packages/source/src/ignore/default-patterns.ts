/**
 * What nobody looks for in a repository, though its own files may forget to say so. They count least: `!build/` in a
 * `.switchboardignore`, `.ignore` or `.gitignore` brings a folder back.
 */
export const DEFAULT_PATTERNS = `
# Of the tools that a repository is made with
.hg/
.svn/
node_modules/
bower_components/
jspm_packages/
__pycache__/
.venv/
venv/
.tox/
.nox/
.eggs/
*.egg-info/
.mypy_cache/
.pytest_cache/
.ruff_cache/
.gradle/
.terraform/
.cache/
.parcel-cache/
.turbo/
.nyc_output/
DerivedData/
Pods/

# What is built
build/
dist/
out/
target/
coverage/
.next/
.nuxt/
.output/
.svelte-kit/
*.min.js
*.min.mjs
*.min.css
*.map
*.tsbuildinfo

# Written by package managers
package-lock.json
npm-shrinkwrap.json
yarn.lock
pnpm-lock.yaml
bun.lock
Cargo.lock
poetry.lock
uv.lock
pdm.lock
Pipfile.lock
Gemfile.lock
composer.lock
mix.lock
flake.lock
go.sum
gradle.lockfile

# Secrets: what is indexed is kept
.env
.env.*
!.env.example
!.env.sample
!.env.template
.netrc
.npmrc
.pypirc
.htpasswd
*.pem
*.key
*.p12
*.pfx
*.jks
*.keystore
*.kdbx
id_rsa
id_dsa
id_ecdsa
id_ed25519
`
