import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendRefusal } from './answer.ts'
import { ASSETS, keepAssetsFromNowOn } from './kept-assets.ts'
import { API_PREFIX } from './mount.ts'

const HASHED_FOLDER = `/${ASSETS}/`
const YEAR_SECONDS = 31_536_000

/**
 * Serves the files of the built web app, and those of earlier builds from `keptRoot`. Every address to which a browser
 * navigates gets the index.html of the present build.
 */
export async function serveWebApp(app: FastifyInstance, webRoot: string, keptRoot: string | null): Promise<void> {
  const roots = [resolve(webRoot)]
  if (keptRoot !== null && (await keepAssetsFromNowOn(app, { webRoot, keptRoot }))) roots.push(resolve(keptRoot))
  await app.register(fastifyStatic, {
    root: roots,
    // Files are looked up at each request, because a deployment replaces them while the process runs.
    wildcard: true,
    preCompressed: true,
    // The build keeps data for its own checks in a hidden folder.
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = roots.some((root) => path.startsWith(join(root, HASHED_FOLDER)))
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) =>
    isNavigation(request) ? reply.sendFile('index.html') : sendRefusal(reply, request.language, 'not-found'),
  )
}

/** Only navigations get index.html. A missing script must be a 404, so that the app notices a stale deployment. */
function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? ''
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (path === API_PREFIX || path.startsWith(`${API_PREFIX}/`) || path.startsWith(HASHED_FOLDER)) return false
  return (request.headers.accept ?? '').includes('text/html')
}
