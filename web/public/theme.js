// A file of its own, because the Content-Security-Policy forbids inline scripts. It runs before the first paint.
;(() => {
  let theme = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage is blocked: the system decides.
  }
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
})()
