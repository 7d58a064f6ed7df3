// Usage: DOCVET_KEY=dv_live_… dotnet run Scan.cs FILE. Exit code: 0 clean, 1 infected, 2 no verdict. .NET 10, or as Program.cs of a project of .NET 6 or newer.
using System;
using System.IO;
using System.Net.Http;
using System.Text.Json;

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(60) };
client.DefaultRequestHeaders.Add("X-API-Key", Environment.GetEnvironmentVariable("DOCVET_KEY"));

using var form = new MultipartFormDataContent();
form.Add(new StreamContent(File.OpenRead(args[0])), "file", Path.GetFileName(args[0]));

using var response = await client.PostAsync("http://127.0.0.1:8080/api/v1/scan", form);
using var json = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
var result = json.RootElement;

if (!response.IsSuccessStatusCode)
{
    // 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
    Console.Error.WriteLine($"no verdict: {result.GetProperty("code")}: {result.GetProperty("detail")}");
    return 2;
}
if (result.GetProperty("status").GetString() == "clean")
{
    Console.WriteLine("clean");
    return 0;
}
Console.WriteLine($"infected: {result.GetProperty("threat")}");
return 1;
