// Usage: DOCVET_KEY=dv_live_… java Scan.java FILE. Exit code: 0 clean, 1 infected, 2 no verdict. Java 11 or newer.
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Scan {
    // HTTP/1.1, because an attempt to upgrade to HTTP/2 closes the connection.
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static HttpResponse<String> scan(Path path) throws IOException, InterruptedException {
        String boundary = UUID.randomUUID().toString();
        String name = path.getFileName().toString().replaceAll("[\"\\\\\\p{Cntrl}]", "_");
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\n\r\n";
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8080/api/v1/scan"))
            .timeout(Duration.ofSeconds(60))
            .header("X-API-Key", System.getenv("DOCVET_KEY"))
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            .POST(BodyPublishers.ofByteArrays(
                List.of(head.getBytes("UTF-8"), Files.readAllBytes(path), ("\r\n--" + boundary + "--\r\n").getBytes())))
            .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    // Use the JSON library of your project instead.
    static String field(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    public static void main(String[] args) throws Exception {
        HttpResponse<String> response = scan(Path.of(args[0]));
        String status = field(response.body(), "status");
        if (response.statusCode() == 200 && status.equals("clean")) {
            System.out.println("clean");
        } else if (response.statusCode() == 200 && status.equals("infected")) {
            System.out.println("infected: " + field(response.body(), "threat"));
            System.exit(1);
        } else {
            // 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
            System.err.println("no verdict: " + response.body());
            System.exit(2);
        }
    }
}
