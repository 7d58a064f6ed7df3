/** Ways in which a link deceives, each with a harmless one that is like it. */

/** `shown`: what is clicked; the twin has another target, or another text. */
interface LinkCase {
  target: string
  shown: string
  twin: { target: string; shown?: string }
}

const coded = encodeURIComponent

export const LINK_CASES: Readonly<Record<string, LinkCase>> = {
  'other joints under a cheap suffix': {
    shown: 'https://portal.nordmann.de/konto',
    target: 'https://portal-nordmann.icu/konto',
    twin: { target: 'https://portal-nordmann.de/konto' },
  },
  'the same name under a cheap suffix': {
    shown: 'https://www.nordmann.de/konto',
    target: 'https://www.nordmann.cyou/konto',
    twin: { target: 'https://www.nordmann.com/konto' },
  },
  'the suffix as a part of the name': {
    shown: 'https://www.nordmann.de/',
    target: 'https://nordmann-de.com/',
    twin: { target: 'https://nordmann-group.com/' },
  },
  'the host as labels of another': {
    shown: 'https://login.nordmann.de/',
    target: 'https://login.nordmann.de.kundenzone.top/',
    twin: { target: 'https://login.nordmann.de/kundenzone' },
  },
  'the host as a label with hyphens': {
    shown: 'https://login.nordmann.de/',
    target: 'https://login-nordmann-de.web-check.net/',
    twin: { target: 'https://login.nordmann.de/web-check' },
  },
  'the name with words of a pretext': {
    shown: 'https://www.nordmann.de/',
    target: 'https://nordmann-kundenlogin.com/',
    twin: { target: 'https://nordmann-karriere.com/' },
  },
  'a sign like a slash in the host': {
    shown: 'https://login.nordmann.de/konto',
    target: new URL('https://login.nordmann.de\u2215konto.webhaus.com/start').href,
    twin: { target: 'https://login.nordmann.de/konto.webhaus.com/start' },
  },
  'a host of a state as labels of another': {
    shown: 'www.gov.br/receitafederal',
    target: 'https://gov-br.meucadastro.com/pagamento',
    twin: { target: 'https://www.gov.br/receitafederal/pt-br' },
  },
  'a host of ordinary words as labels of another': {
    shown: 'https://www.steuer-portal.de/login',
    target: 'https://www-steuer-portal.de-hilfe.com/login',
    twin: { target: 'https://www.steuer-portal.de/hilfe' },
  },
  'the name with words of a pretext as a label of another': {
    shown: 'https://www.nordmann.de/konto',
    target: 'https://nordmann-auszahlung.webhaus.com/a',
    twin: { target: 'https://nordmann-auszahlung.nordmann.de/a' },
  },
  'a page to sign in of another': {
    shown: 'https://www.nordmann.de/umzug',
    target: 'https://dienstpost.webhaus.com/anmelden.php',
    twin: { target: 'https://dienstpost.nordmann.de/anmelden.php' },
  },
  'a host without a scheme': {
    shown: 'portal.nordmann.de/konto',
    target: 'https://nordmann-login.com/konto',
    twin: { target: 'https://hilfe.nordmann.at/konto' },
  },
  'another name': {
    shown: 'https://portal.nordmann.de/konto',
    target: 'https://blumenwiese.top/konto',
    twin: { target: 'https://portal.nordmann.de/login' },
  },
  'a letter that is doubled': {
    shown: 'https://www.nordmann.de/',
    target: 'https://www.nordmannn.de/',
    twin: { target: 'https://nordmann.de/' },
  },
  'a letter that is changed': {
    shown: 'https://www.nordmann.de/',
    target: 'https://www.nordrnann.de/',
    twin: { target: 'https://nordmann.at/' },
  },
  'a host before an @': {
    shown: 'Open the invoice',
    target: 'https://portal.nordmann.de@rechnung.top/a',
    twin: { target: 'https://portal.nordmann.de/@rechnung/a' },
  },
  'a host and a coded slash before an @': {
    shown: 'Open the invoice',
    target: 'https://portal.nordmann.de%2Fkonto%2Fa@203.0.113.7/a',
    twin: { target: 'https://portal.nordmann.de/konto%2Fa' },
  },
  'a host and a coded @ before an @': {
    shown: 'Open the invoice',
    target: 'https://anna%40nordmann.de@rechnung.top/a',
    twin: { target: 'https://portal.nordmann.de/?u=anna' },
  },
  'a number in place of a name': {
    shown: 'https://portal.nordmann.de/konto',
    target: 'http://203.0.113.7/konto',
    twin: { target: 'http://192.168.0.7/konto', shown: 'the portal' },
  },
  'a redirector of a search engine': {
    shown: 'https://portal.nordmann.de/konto',
    target: `https://www.google.com/url?q=${coded(coded('https://nordmann-konto.icu/a'))}`,
    twin: { target: `https://www.google.com/url?q=${coded('https://portal.nordmann.de/konto')}` },
  },
  'redirectors in each other': {
    shown: 'https://portal.nordmann.de/konto',
    target: `https://l.facebook.com/l.php?u=${coded(`https://www.google.com/url?q=${coded('https://konto-pruefen.top/a')}`)}`,
    twin: {
      target: `https://l.facebook.com/l.php?u=${coded(`https://www.google.com/url?q=${coded('https://portal.nordmann.de/a')}`)}`,
    },
  },
  'letters of another script': {
    shown: 'PayPal',
    target: 'https://xn--pypal-4ve.com/signin',
    twin: { target: 'https://xn--mnchen-3ya.de/' },
  },
  'a brand before words of a pretext': {
    shown: 'Sign in',
    target: 'https://paypal.login-secure.top/a',
    twin: { target: 'https://paypal.shop-plugins.example/a' },
  },
  'a brand between words of a pretext': {
    shown: 'Sign in',
    target: 'https://signin.microsoft.account-verify.com/a',
    twin: { target: 'https://signin.nordmann.de/a' },
  },
  'the address of a brand as the text': {
    shown: 'https://www.paypal.com/signin',
    target: 'https://collect.example/a',
    twin: { target: 'https://www.paypal.com/de/signin' },
  },
  'the address of a bank as the text': {
    shown: 'www.paypal.com/signin',
    target: 'https://pp-konto.cfd/a',
    twin: { target: 'https://www.paypal.com/de/signin' },
  },
}
