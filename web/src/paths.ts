/** The URLs of the dashboard. The service serves its page at these, and elsewhere only with 404. */
export const PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/undo-sign-in',
  '/recover',
  '/join',
  '/operator',
  '/scan',
  '/history',
  '/history/:id',
  '/allowed',
  '/keys',
  '/connect',
  '/callbacks',
  '/callbacks/:id',
  '/members',
  '/usage',
  '/settings',
  '/subscription',
  '/plans',
  '/assistant',
  '/marketplace/landing',
] as const

/** `/sandbox` is served only together with the sandbox marketplace. */
export type PagePath = (typeof PATHS)[number] | '/sandbox'
