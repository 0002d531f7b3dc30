// What no tracked file may say: the host of a package registry, or a path that exists on one machine only.

const rules = [
  {
    pattern: /\bregistry\.[a-z0-9-]+\.[a-z]{2,}\b|\b(?:deb|security)\.debian\.org\b/i,
    complaint: 'names the host of a package registry',
    cure: 'name the package only',
  },
  {
    // A slash after a name is a longer, relative path or the path of an address; those are fine.
    pattern: /(?<![\w.~/}-])\/(?:work|root)(?:\/|\b)/,
    complaint: 'names a path of one machine',
    cure: 'use a path relative to the repository, or a made-up one below /home/you',
  },
  {
    pattern: /(?<![\w.~/}-])\/(?:home|Users)\/(?!you\b|me\b|user\b|ada\b|someone\b|name\b|<|\$|\{)[\w.-]+/,
    complaint: 'names a home directory',
    cure: 'write /home/you',
  },
]

/**
 * @param {string} text
 * @returns {{ line: number, found: string, complaint: string, cure: string }[]}
 */
export function findForbiddenText(text) {
  return text.split('\n').flatMap((content, index) =>
    rules.flatMap(({ pattern, complaint, cure }) => {
      const found = pattern.exec(content)?.[0]
      return found === undefined ? [] : [{ line: index + 1, found, complaint, cure }]
    }),
  )
}

/**
 * @param {string} lockfile the text of package-lock.json
 * @returns {string[]} the packages whose entry says where they were downloaded from
 */
export function findResolvedHosts(lockfile) {
  const { packages = {} } = JSON.parse(lockfile)
  return Object.entries(packages)
    .filter(([, entry]) => /^[a-z+]+:\/\//i.test(entry.resolved ?? ''))
    .map(([path]) => path)
}
