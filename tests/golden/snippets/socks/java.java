// WeirProbe.java:
// java "-DsocksProxyHost=127.0.0.1" "-DsocksProxyPort=8686" '-Djavax.net.ssl.trustStore=/home/ada/Ada'\''s files/weir-cacerts' '-Djavax.net.ssl.trustStorePassword=changeit' WeirProbe.java
import java.net.HttpURLConnection;
import java.net.URL;

public class WeirProbe {
    public static void main(String[] arguments) throws Exception {
        var connection = (HttpURLConnection) new URL("https://example.com/anything?a=1&b=2").openConnection();
        System.out.println(connection.getResponseCode());
    }
}
