// WeirProbe.java
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class WeirProbe {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:9001/anything?a=1&b=2")).build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
        System.out.println(response.statusCode());
    }
}
