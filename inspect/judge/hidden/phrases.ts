/** What a text says to a language model in signs, addresses and names, in every language. */

/** In the text as it is: marks of turns in the formats of models, and calls of tools. */
export const ROLES =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)\|>|\[\/?INST\]|<<\/?SYS>>|<start_of_turn>|(?:begin|end|new) system prompt|<\/?(?:system_prompt|tool_call|function_calls?|tool_use)>|"tool_calls?"\s?:|"name"\s?:\s?"[\w.-]{1,60}"\s?,\s?"(?:arguments|parameters|input)"\s?:\s?\{/i
export const ROLE_LINE =
  /(?:^|\n|[.!?])\s{0,9}(?:system(?: (?:note|message|instruction|prompt|update))?|assistant|human|prompt|###\s?instructions?|system-?(?:anweisung|hinweis|nachricht)|instruction (?:du )?syst[eè]me|instrucci[oó]n del sistema|системн\S{2,4} (?:сообщение|инструкция)|系统(?:提示|指令)|システム(?:指示|プロンプト))\s?[:：]|(?:^|\n)\s{0,9}\[system\]|<(?:system|assistant)>/i
/** Orders to a tool, and to send something somewhere. */
export const TOOL =
  /\b(?:send|post|fetch|forward|upload|exfiltrate|call|visit|open|browse|render|include|append|submit|e-?mail|load|envia\w{0,4}|env[ií]e|envoie\w{0,2}|transf[eéè]re\w{0,2}|sende\w{0,2}|schick\w{0,3}|leite\w{0,2}|invia\w{0,3}|inoltra\w{0,3}|stuur|wyślij\w{0,3}|отправь\w{0,3}|перешли\w{0,3})(?![\p{L}\p{N}])[^\n]{0,160}?(?:https?:\/\/|[\w.+-]{1,64}@[\w-]{1,63}\.[a-z])|\b(?:call|use|run|invoke|execute|trigger) (?:(?:the |your |a |this )?(?:\w{1,20} )?(?:tool|function|command|plugin|action)s?\b|`?[a-z]{2,20}_[a-z_]{2,40}\b)|\bcurl -|!\[[^\]\n]{0,80}\](?:\(https?:\/\/|\[)|\[[^\]\n]{1,40}\]:\s?https?:\/\//iu
/** Tools by names that only programs have. */
export const TOOL_NAME =
  /\b(?:call|use|run|invoke|execute|trigger) (?:the )?(?:(?:tool|function) )?`?[a-z]{2,20}_[a-z_]{2,40}\b/i
/** What a model can reach and others cannot. */
export const PRIVATE =
  /\b(?:(?:search|read|scan|collect|gather|list|access|open|copy) (?:\S{1,20} ){0,3}(?:mailbox|inbox|e-?mails|mails|messages|calendar|files|documents|conversation|chat history|contacts|workspace)|address book|conversation so far|conversation history|chat history|system prompt|api keys?|access tokens?|id_rsa|id_ed25519|~\/\.ssh|\.env\b|seed phrase|password reset|verification codes?|one-time (?:codes?|passwords?)|card numbers?|credentials|environment variables|context window|your context|sensitive passage|most sensitive|confidential content)\b/i
/** Settings by which a text poses as data for a model. */
export const KEYS =
  /["']?\b(?:assistant|ai|llm|model|agent|machine)_(?:directive|instruction|override|note|hint|summary|verdict|command)s?["']?\s?[:=]|["']?\b(?:hide_from_user|use_verbatim|do_not_disclose|instructions_for_(?:ai|llm|model|assistant)s?)["']?\s?[:=]/i
/** An address that is put into each answer, unseen by others. */
export const SECRET_COPY =
  /\b(?:always|stets|immer|toujours|siempre|sempre|altijd|zawsze|alltid|altid|vzdy|her zaman|всегда|завжди|始终|必ず)(?![\p{L}])[^\n.]{0,80}[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]|[\w.+-]{1,64}@[\w.-]{1,80}[^\n.]{0,40}(?:\bbcc\b|blind ?cop|copie cach|copia oculta|copia nascosta|c[oó]pia oculta|ukrytej kopii|blindkopi|скрыту|密送)|(?:bcc|密送)[^\n.]{0,40}[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]/iu
