import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { API_PREFIX } from './mount.ts'

/** Collects the OpenAPI document from the table of routes. Must be registered before the routes. */
export async function collectDocumentation(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Lode', description: 'The API of a Lode pool', version: '0.1.0' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  })
}

/** Serves the document and a page to read it. The page's own policy allows connections to this server only. */
export async function serveDocumentation(app: FastifyInstance): Promise<void> {
  app.get(`${API_PREFIX}/openapi.json`, { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()))
  await app.register(swaggerUi, {
    routePrefix: `${API_PREFIX}/docs`,
    // BaseLayout has no top bar, which would offer to load other documents.
    uiConfig: { layout: 'BaseLayout', deepLinking: true, defaultModelsExpandDepth: -1 },
    theme: { title: 'Lode API' },
    staticCSP: {
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': ["'self'", 'data:'],
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    },
  })
}
