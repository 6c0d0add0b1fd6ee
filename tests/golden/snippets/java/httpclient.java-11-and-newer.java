// WeirProbe.java:
// java '-Djavax.net.ssl.trustStore=/home/ada/Ada'\''s files/weir-cacerts' '-Djavax.net.ssl.trustStorePassword=changeit' WeirProbe.java
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class WeirProbe {
    public static void main(String[] arguments) throws Exception {
        var proxy = ProxySelector.of(new InetSocketAddress("127.0.0.1", 8686));
        var client = HttpClient.newBuilder().proxy(proxy).build();
        var request = HttpRequest.newBuilder(URI.create("https://example.com/anything?a=1&b=2")).build();
        System.out.println(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    }
}
