/** How scripts of servers read what a visitor sends, and how they run a text. */

export interface ServerLanguage {
  /** Without it, no script of the language reads a request. */
  starts: RegExp
  /** What a visitor sends, and what another server answers. */
  request: RegExp
  name: RegExp
  /** A variable or member that is set: its value follows. */
  sets: RegExp
  /** The value of a loop in the first group, and the names that it is given. */
  loops?: RegExp
  /** What follows is run as code or as a command. */
  runs: RegExp
  /** Runs bytes that are anywhere in what follows. */
  loads?: RegExp
  /** Functions of the script, of which those that it calls are meant. */
  called?: ReadonlySet<string>
  /** A function with its name and parameters; its body goes on to the next one. */
  functions: RegExp
  /** Calls a function by a variable. */
  calls?: RegExp
  /** Before code in it that was decoded. */
  decoded?: string
  /** Makes a variable of everything that a visitor sends. */
  imports?: RegExp
}

const WORD = /[A-Za-z_]\w{0,60}/y

export const SERVER_LANGUAGES: readonly ServerLanguage[] = [
  // PHP
  {
    starts: /^(?:\xef\xbb\xbf)?(?:GIF8[79]a)?\s{0,200}<(?=\?|[\s\S]*<\?)/i,
    request:
      /\$(?:_(?:GET|POST|REQUEST|COOKIE|FILES)\b|_SERVER\s{0,4}\[\s{0,4}["']HTTP_|GLOBALS\s{0,4}\[\s{0,4}["']_)|(?:getallheaders|apache_request_headers|curl_exec|wp_remote_retrieve_body)\s{0,4}\(|(?:file_get_contents|fopen)\s{0,4}\(\s{0,4}["'](?:php:\/\/input|https?:)/iy,
    name: /\$\w{1,60}/y,
    sets: /(\$\w{1,60})(?:\s{0,4}\[[^\]\r\n;]{0,60}\]){0,2}\s{0,4}\.?=(?![=>])/g,
    loops: /\bforeach\s{0,4}\(([^()]{1,200}(?:\([^()]{0,100}\))?)\s{1,4}as\s{1,4}([^()]{1,100})\)/gi,
    runs: /(?<![\w$>:])(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|create_function\s{0,4}\([^,;()]{0,60},|preg_replace\s{0,4}\(\s{0,4}["']([/#~@])[^\r\n]{0,60}\1[a-z]{0,4}e[a-z]{0,4}["']\s{0,4},|file_put_contents\s{0,4}\([^,;]{1,100},\s{0,4}["']<\?(?:php|=)?\s{0,4}["']\s{0,4}\.)\s{0,4}\(?|(?:[=;{]|\becho|\breturn|\bprint)\s{0,4}\x60/gi,
    functions:
      /(?:\bclass\s{1,4}(\w{1,60})[^{}]{0,100}\{[^{}]{0,200})?\bfunction\b\s{0,4}&?(\w{0,60})\s{0,4}\(([^()]{0,300})\)/gi,
    calls: /(?<![\w$>:])(\$\w{1,60})\s{0,4}\(/g,
    decoded: '<?php ',
    imports: /\b(?:extract|parse_str|import_request_variables)\s{0,4}\(\s{0,4}\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\b/i,
  },
  // ASP
  {
    starts: /^(?:\xef\xbb\xbf)?\s{0,200}<(?=%|[\s\S]*<%)(?=[\s\S]*\brequest\b)/i,
    request: /request\s{0,4}(?:\.\s{0,4}\w{1,20}\s{0,4})?[([]/iy,
    name: WORD,
    sets: /\b([a-z]\w{0,60})\s{0,4}=(?!=)/gi,
    runs: /(?<![\w.])(?:eval|execute|executeglobal)\b\s{0,4}\(?|\.(?:exec|run|shellexecute)\b\s{0,4}\(?/gi,
    functions: /\b(?:function|sub)\b()\s{1,4}(\w{1,60})\s{0,4}\(([^()]{0,300})\)/gi,
  },
  // ASP.NET
  {
    starts: /<%@\s{0,9}(?:page|webhandler|webservice|control)\b/i,
    request:
      /(?:\w{1,30}\s{0,4}\.\s{0,4}){0,3}Request\s{0,4}(?:\.\s{0,4}(?:Form|QueryString|Headers|Cookies|Params|Item|Files)\s{0,4})?\[|(?:\w{1,30}\s{0,4}\.\s{0,4}){0,3}Request\s{0,4}\.\s{0,4}(?:BinaryRead|InputStream)/y,
    name: WORD,
    sets: /\b([A-Za-z_]\w{0,60})\s{0,4}=(?![=>])/g,
    loads: /\bAssembly\.Load\s{0,4}\(/g,
    runs: /\b(?:Process\.Start|ProcessStartInfo|eval)\s{0,4}\(|\.Arguments\s{0,4}=(?!=)/g,
    functions:
      /\b(?:public|private|internal|static|void|string)\s{1,4}()(?:static\s{1,4})?(?:[\w<>[\].]{1,60}\s{1,4})?(\w{1,60})\s{0,4}\(([^()]{0,300})\)\s{0,9}\{/g,
  },
  // JSP
  {
    starts: /^(?=[\s\S]*<(?:%|jsp:))(?=[\s\S]*\bget(?:Parameter|Reader|Header|InputStream|QueryString)\b)/i,
    request:
      /(?:\w{1,30}\s{0,4}\.\s{0,4})?(?:getParameter|getHeader|getReader|getInputStream|getQueryString)\s{0,4}\(/y,
    name: WORD,
    sets: /\b([A-Za-z_]\w{0,60})\s{0,4}=(?!=)/g,
    loads: /\bdefineClass\s{0,4}\(/g,
    runs: /\.exec\s{0,4}\(|\bProcessBuilder\s{0,4}\(|\.eval\s{0,4}\(|\.invoke\s{0,4}\([^(),;]{1,40},/g,
    functions:
      /\b(?:public|private|static|protected)\s{1,4}()(?:static\s{1,4})?[\w<>[\].]{1,60}\s{1,4}(\w{1,60})\s{0,4}\(([^()]{0,300})\)\s{0,9}\{/gi,
  },
  // ColdFusion
  {
    starts: /<cf(?:if|set|execute|output)\b/i,
    request: /#?(?:form|url|cgi)\s{0,4}[.[]/iy,
    name: WORD,
    sets: /<cfset\s{1,4}([a-z]\w{0,60})\s{0,4}=/gi,
    runs: /(?<=<cfexecute\b[^<>]{0,300})\s(?:arguments|name)\s{0,4}=|(?<!\w)evaluate\s{0,4}\(/gi,
    functions: /<cffunction\b()[^<>]{0,100}\bname="(\w{1,60})"()/gi,
  },
  // Python
  {
    starts: /\b(?:flask|django|http\.server|BaseHTTPRequestHandler|cgi|bottle|aiohttp|fastapi|starlette|tornado)\b/,
    request:
      /(?:\w{1,30}\.)?request\.(?:args|form|values|json|data|headers|cookies|get_json|get_data|POST|GET|query|query_params|params|body)\b|\w{1,30}\.getvalue\s{0,4}\(|(?:[\w.]{1,40}\.)?parse_qs\s{0,4}\(|self\.(?:path|headers|rfile|get_argument)\b|(?:cgi\.)?FieldStorage\b/y,
    name: WORD,
    sets: /(?:^|[;\n])[ \t]{0,40}([A-Za-z_]\w{0,60})\s{0,4}=(?!=)/g,
    runs: /\b(?:subprocess\.\w{1,20}|os\.(?:popen|system)|getoutput|getstatusoutput|check_output|Popen)\s{0,4}\(|(?<![\w.])(?:exec|eval)\s{0,4}\(/g,
    functions: /\bdef()\s{1,4}(\w{1,60})\s{0,4}\(([^()]{0,300})\)/g,
  },
  // Node
  {
    starts: /\b(?:createServer|express|fastify|koa|hapi)\b/,
    request:
      /(?:req|request|ctx)(?:\.request)?\.(?:query|body|headers|params|url|cookies)\b|url\.parse\s{0,4}\(\s{0,4}req/y,
    name: /[A-Za-z_$][\w$]{0,60}/y,
    sets: /\b([A-Za-z_$][\w$]{0,60})\s{0,4}=(?![=>])/g,
    runs: /(?<!\.)\b(?:exec|execSync|spawn|spawnSync|eval|Function)\s{0,4}\(|\b(?:child_process|cp)\.(?:exec|execSync|spawn)\s{0,4}\(/g,
    functions: /\bfunction\b()\s{0,4}(\w{0,60})\s{0,4}\(([^()]{0,300})\)/g,
  },
  // Perl and Ruby
  {
    starts: /\b(?:use\s{1,4}CGI|CGI\.new|QUERY_STRING|Sinatra|sinatra|WEBrick)\b/,
    request:
      /\$?\w{1,30}(?:->|\.)param(?:s|\s{0,4}\()|params\s{0,4}\[|\$ENV\{["']?QUERY_STRING|(?:req|request)\.(?:query|body|params)\b/y,
    name: /\$?[A-Za-z_]\w{0,60}/y,
    sets: /(\$?\b[A-Za-z_]\w{0,60})\s{0,4}=(?![=~>])/g,
    runs: /(?<![\w$>.-])(?:system|exec|eval|qx)\b\s{0,4}[({/]?|(?:[=;{,(]|\bprint|\breturn|\bputs)\s{0,4}\x60(?:#\{)?/g,
    functions: /\b(?:sub|def)\b()\s{1,4}(\w{1,60})()/g,
  },
]
