/** How Vite builds the dashboard and serves it in development. */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service, as `npm run dev` starts it. */
const SERVICE = `http://127.0.0.1:${process.env.DOCVET_PORT ?? 8080}`
const SERVED_BY_SERVICE = [
  '/api',
  '/docs',
  '/problems',
  '/findings',
  '/openapi.json',
  '/sandbox/purchases',
  '/dashboard',
]

/** What the pages around signing in share. */
const FORMS =
  /web\/src\/(?:components\/(?:auth-card|code-text|drawn|fingerprint|form-problem|operator|password-field|text-field)|hooks\/|form-values|settings|api\/(?:client|problem))/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  // React has it built in; wouter imports it from a package for older versions.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    emptyOutDir: true,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // The Content-Security-Policy allows no data: URLs for fonts.
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
    // Browsers with light-dark(), which the colours use.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Small files compress badly, so those that many pages share are put together.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'forms', test: FORMS },
            { name: 'icons', test: /components.icons/ },
          ],
        },
      },
    },
  },
  server: {
    host: 'localhost',
    port: 5173,
    strictPort: true,
    // The recipes of the page “Connect” are in docs/.
    fs: { allow: ['..'] },
    proxy: Object.fromEntries(SERVED_BY_SERVICE.map((path) => [path, SERVICE])),
  },
})
