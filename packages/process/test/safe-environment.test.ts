import { describe, expect, it } from 'vitest'
import { createChildEnvironment } from '../src/safe-environment.ts'

describe('createChildEnvironment', () => {
  it('passes on what programs need to find their way, and no secrets of the shell', () => {
    const from = {
      PATH: '/usr/bin',
      HOME: '/home/ada',
      LC_ALL: 'C',
      XDG_CACHE_HOME: '/c',
      npm_config_cache: '/npm',
      HTTPS_PROXY: 'http://proxy',
      GITHUB_TOKEN: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      OPENAI_API_KEY: 'secret',
      EDITOR: 'vi',
    }
    expect(createChildEnvironment({}, false, from)).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/ada',
      LC_ALL: 'C',
      XDG_CACHE_HOME: '/c',
      npm_config_cache: '/npm',
      HTTPS_PROXY: 'http://proxy',
    })
  })

  it('leaves out the credentials among the settings of package managers', () => {
    const from = {
      UV_CACHE_DIR: '/uv',
      UV_PUBLISH_TOKEN: 't',
      UV_INDEX_MAIN_PASSWORD: 'p',
      'npm_config_//host/:_authToken': 't',
      NPM_CONFIG__AUTH: 'a',
      PIP_INDEX_URL: 'https://host',
    }
    expect(createChildEnvironment({}, false, from)).toEqual({ UV_CACHE_DIR: '/uv', PIP_INDEX_URL: 'https://host' })
  })

  it("puts the server's own variables over the inherited ones", () => {
    expect(createChildEnvironment({ PATH: '/own', TOKEN: 'mine' }, false, { PATH: '/usr/bin' })).toEqual({
      PATH: '/own',
      TOKEN: 'mine',
    })
  })

  it('inherits everything when it is told to, but never exported shell functions', () => {
    const from = { GITHUB_TOKEN: 'x', BASH_FUNC_evil: '() { :; }; rm', UNSET: undefined, EMPTY: '' }
    expect(createChildEnvironment({}, true, from)).toEqual({ GITHUB_TOKEN: 'x', EMPTY: '' })
  })

  it('knows the names of Windows in any case', () => {
    const from = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\P', Secret: 'x' }
    expect(createChildEnvironment({}, false, from)).toEqual({
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\P',
    })
  })

  it('replaces an inherited variable of Windows in whatever case it is written', () => {
    const from = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows' }
    const own = { PATH: 'D:\\own' }
    expect(createChildEnvironment(own, false, from, 'win32')).toEqual({ PATH: 'D:\\own', SystemRoot: 'C:\\Windows' })
    expect(createChildEnvironment(own, false, from, 'linux')).toMatchObject({ PATH: 'D:\\own', Path: 'C:\\bin' })
  })
})
